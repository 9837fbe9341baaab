"""One training step: mixed precision, adaptive clipping, Adam, and averaged weights."""

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_
from torch.optim import Adam, Optimizer
from torch.optim.lr_scheduler import ExponentialLR
from torch.optim.swa_utils import AveragedModel

from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.row_adam import RowAdam
from hrrxml.schema import HeadSettings, Train

AVERAGE_EVERY = 100  # steps, as AttentionXML does


class Steps:
    """Everything that changes a model while it trains."""

    def __init__(self, model: Model, settings: Train, rate: HeadSettings) -> None:
        self.model = model
        self.optimisers = make_optimisers(model, rate)
        self.keep = settings.keep_features
        self.schedules = [
            ExponentialLR(optimiser, gamma=rate.decay) for optimiser in self.optimisers
        ]
        self.device = next(model.parameters()).device.type
        self.precision = getattr(torch, settings.precision)
        # float16 underflows without a scale for the loss; the others need none.
        self.scaler = torch.amp.GradScaler(
            self.device, enabled=settings.precision == "float16" and self.device == "cuda"
        )
        self.clip = None if settings.clip is None else AdaptiveClip(settings.clip)
        self.average = AveragedModel(model) if settings.average_from is not None else None
        self.averaging = False
        self.taken = 0

    def take(self, batch: Points) -> float:
        """Update the model by a batch; returns the loss before."""
        if self.keep < 1:
            batch = replace(batch, features=batch.features.thin(self.keep))
        with self.autocast():
            loss = self.model.loss(batch)
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        self.scaler.scale(loss).backward()
        if self.clip is not None:
            self.scaler.unscale_(self.optimisers[0])
            self.clip(_dense_parameters(self.model))
        for optimiser in self.optimisers:
            self.scaler.step(optimiser)
        self.scaler.update()
        self.taken += 1
        if self.averaging and self.taken % AVERAGE_EVERY == 0:
            self._average()
        return loss.item()

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device, self.precision, enabled=self.precision != torch.float32)

    def end_epoch(self) -> None:
        for schedule in self.schedules:
            schedule.step()
        if self.averaging:
            self._average()

    def result(self) -> Model:
        """The model to judge: the averaged one, once there is an average."""
        if self.average is None or int(self.average.n_averaged) == 0:
            return self.model
        return cast(Model, self.average.module)

    def _average(self) -> None:
        assert self.average is not None
        self.average.update_parameters(self.model)


class AdaptiveClip:
    """Keeps the gradient's norm within `factor` times the greatest of the last five steps'.

    As AttentionXML does: a step counts with at most twice the greatest before it, and at most 1.
    """

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self.norms = deque([math.inf], maxlen=5)

    def __call__(self, parameters: Iterable[Tensor]) -> None:
        greatest = max(self.norms)
        norm = float(clip_grad_norm_(parameters, greatest * self.factor))
        if math.isfinite(norm):  # an overflow in float16 is skipped, not remembered
            self.norms.append(min(norm, greatest * 2, 1.0))


def make_optimisers(model: Model, rate: HeadSettings) -> list[Optimizer]:
    """Adam; by rows for parameters of which a batch touches a few."""
    dense: Optimizer = Adam(_dense_parameters(model), lr=rate.learning_rate, fused=True)
    shortcut = model.head.output.sparse_parameters()
    tables = model.encoder.sparse_parameters() + model.head.sparse_parameters()
    groups = [
        {"params": tables, "lr": rate.learning_rate},
        {"params": shortcut, "lr": rate.learning_rate * (rate.shortcut or 1)},
    ]
    groups = [group for group in groups if group["params"]]
    return [dense, RowAdam(groups, rate.learning_rate)] if groups else [dense]


def _dense_parameters(model: Model) -> list[Tensor]:
    sparse = {id(parameter) for parameter in model.sparse_parameters()}
    return [p for p in model.parameters() if id(p) not in sparse and p.requires_grad]
