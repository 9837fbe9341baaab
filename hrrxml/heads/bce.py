"""The baseline: one output per label, trained as independent logistic regressions."""

from collections.abc import Mapping
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import log_odds
from hrrxml.layers.output import Output
from hrrxml.training import distributed


class Settings(base.LogisticSettings):
    prior_bias: bool
    reduction: Literal["sum", "mean"]


class Head(base.Head):
    adjustment: Tensor

    @staticmethod
    def tables(settings: Settings, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        return {"prior": log_odds(train)}

    def __init__(
        self, settings: Settings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.reduction, prior = settings.reduction, tables["prior"]
        self.output = Output(width, len(prior), n_features, settings.shortcut is not None)
        self.register_buffer("adjustment", settings.tail * prior, persistent=False)
        if settings.prior_bias:
            # Otherwise Adam needs the first epochs to move every bias from 0 to about −8, in
            # steps of the learning rate.
            with torch.no_grad():
                self.output.bias.copy_(prior)

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """Binary cross-entropy, summed or averaged over all labels, averaged over points."""
        logits = self.outputs(encoded, batch)
        total: Tensor = _CrossEntropy.apply(logits, batch.labels.rows, batch.labels.ids)
        if self.reduction == "mean":
            total = total / logits.shape[1]
        return total / distributed.count(len(logits))

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        return self.outputs(encoded, batch) - self.adjustment


class _CrossEntropy(torch.autograd.Function):
    """Σ log(1 + eᶻ) over all labels − Σ z over present labels, without a dense target.

    The gradient is computed in one pass. Autograd would need one pass for each term.
    """

    @staticmethod
    def forward(ctx: Any, logits: Tensor, rows: Tensor, ids: Tensor) -> Tensor:
        ctx.save_for_backward(logits, rows, ids)
        return F.softplus(logits).sum() - logits[rows, ids].sum()

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        logits, rows, ids = ctx.saved_tensors
        gradient = logits.sigmoid()
        gradient[rows, ids] -= 1  # a point has each label once
        return gradient.mul_(outer), None, None
