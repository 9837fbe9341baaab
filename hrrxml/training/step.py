"""One training step: mixed precision, adaptive clipping, Adam, and averaged weights."""

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn.utils import clip_grad_norm_
from torch.optim import Adam, Optimizer
from torch.optim.lr_scheduler import ExponentialLR
from torch.optim.swa_utils import AveragedModel

from hrrxml.config.schema import Train
from hrrxml.data.points import Points
from hrrxml.heads.base import Settings as HeadSettings
from hrrxml.model import Model
from hrrxml.training import distributed
from hrrxml.training.row_adam import RowAdam

AVERAGE_EVERY = 100  # steps, as in AttentionXML


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
        # Only float16 needs a scaled loss: its gradients underflow.
        self.scaler = torch.amp.GradScaler(
            self.device, enabled=settings.precision == "float16" and self.device == "cuda"
        )
        self.clip = None if settings.clip is None else AdaptiveClip(settings.clip)
        self.average = AveragedModel(model) if settings.average_from is not None else None
        self.averaging = False
        self.taken = 0

    def take(self, batch: Points) -> float:
        """Update the model with one batch; returns the loss before the update."""
        if self.keep < 1:
            batch = replace(batch, features=batch.features.thin(self.keep))
        with self.autocast():
            loss = self._loss(batch)
        for optimiser in self.optimisers:
            optimiser.zero_grad()
        self.scaler.scale(loss).backward()
        if distributed.processes() > 1:
            dense, sparse = _dense_parameters(self.model), self.model.sparse_parameters()
            distributed.sum_gradients(dense, sparse)
        if self.clip is not None:
            self.scaler.unscale_(self.optimisers[0])
            self.clip(_dense_parameters(self.model))
        for optimiser in self.optimisers:
            self.scaler.step(optimiser)
        self.scaler.update()
        self.taken += 1
        if self.averaging and self.taken % AVERAGE_EVERY == 0:
            self._average()
        return distributed.total(loss.item())

    def _loss(self, batch: Points) -> Tensor:
        """This process's share of the batch's loss."""
        if distributed.processes() == 1:
            return self.model.loss(batch)
        part = distributed.part(batch)
        with distributed.own_noise(self.taken):
            encoded = self.model.encode(part)
        return self.model.head.loss(encoded, part)

    def autocast(self) -> torch.autocast:
        return torch.autocast(self.device, self.precision, enabled=self.precision != torch.float32)

    def end_epoch(self) -> None:
        for schedule in self.schedules:
            schedule.step()
        if self.averaging:
            self._average()

    def result(self) -> Model:
        """The model to evaluate: the averaged one, once there is an average."""
        if self.average is None or int(self.average.n_averaged) == 0:
            return self.model
        return cast(Model, self.average.module)

    def _average(self) -> None:
        assert self.average is not None
        self.average.update_parameters(self.model)

    def state(self) -> dict[str, Any]:
        """Everything the next step depends on, except random numbers."""
        return {
            "model": self.model.state_dict(),
            "optimisers": [
                [optimiser.state.get(p, {}) for p in _parameters(optimiser)]
                for optimiser in self.optimisers
            ],
            "rates": [
                [group["lr"] for group in optimiser.param_groups] for optimiser in self.optimisers
            ],
            "schedules": [schedule.state_dict() for schedule in self.schedules],
            "scaler": self.scaler.state_dict(),
            "norms": None if self.clip is None else list(self.clip.norms),
            "average": None if self.average is None else self.average.state_dict(),
            "taken": self.taken,
        }

    def restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        for optimiser, states, rates in zip(
            self.optimisers, state["optimisers"], state["rates"], strict=True
        ):
            # load_state_dict would convert integers to floats.
            for parameter, values in zip(_parameters(optimiser), states, strict=True):
                optimiser.state[parameter] = {
                    name: value.to(parameter.device) if isinstance(value, Tensor) else value
                    for name, value in values.items()
                }
            for group, rate in zip(optimiser.param_groups, rates, strict=True):
                group["lr"] = rate
        for schedule, values in zip(self.schedules, state["schedules"], strict=True):
            schedule.load_state_dict(values)
        self.scaler.load_state_dict(state["scaler"])
        if self.clip is not None:
            self.clip.norms = deque(state["norms"], maxlen=5)
        if self.average is not None:
            self.average.load_state_dict(state["average"])
        self.taken = state["taken"]


class AdaptiveClip:
    """Clips the gradient's norm to `factor` times the largest norm of the last five steps.

    As in AttentionXML, a step's norm is recorded as at most 1 and twice the largest so far.
    """

    def __init__(self, factor: float) -> None:
        self.factor = factor
        self.norms = deque([math.inf], maxlen=5)

    def __call__(self, parameters: Iterable[Tensor]) -> None:
        largest = max(self.norms)
        norm = float(clip_grad_norm_(parameters, largest * self.factor))
        if math.isfinite(norm):  # a float16 overflow is not recorded
            self.norms.append(min(norm, largest * 2, 1.0))


def make_optimisers(model: Model, rate: HeadSettings) -> list[Optimizer]:
    """Adam for dense parameters; RowAdam for tables where a batch uses only a few rows."""
    dense: Optimizer = Adam(_dense_parameters(model), lr=rate.learning_rate, fused=True)
    shortcut = model.head.output.sparse_parameters()
    tables = model.encoder.sparse_parameters() + model.head.sparse_parameters()
    groups = [
        {"params": tables, "lr": rate.learning_rate},
        {
            "params": shortcut,
            "lr": rate.learning_rate * (rate.shortcut or 1),
            "whole_rows": rate.whole_rows,
        },
    ]
    groups = [group for group in groups if group["params"]]
    return [dense, RowAdam(groups, rate.learning_rate)] if groups else [dense]


def _parameters(optimiser: Optimizer) -> list[Tensor]:
    return [parameter for group in optimiser.param_groups for parameter in group["params"]]


def _dense_parameters(model: Model) -> list[Tensor]:
    sparse = {id(parameter) for parameter in model.sparse_parameters()}
    return [p for p in model.parameters() if id(p) not in sparse and p.requires_grad]
