"""The baseline: one output per label, each its own logistic regression."""

from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import full_precision
from hrrxml.schema import BCE


class Head(base.Head):
    @staticmethod
    def tables(settings: BCE, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """`prior`: the log-odds of each label in the training split, smoothed by one point."""
        counts = torch.bincount(train.labels.ids, minlength=train.n_labels).double()
        share = (counts + 1) / (len(train) + 2)
        return {"prior": share.logit().float()}

    def __init__(self, settings: BCE, width: int, tables: Mapping[str, Tensor]) -> None:
        super().__init__(settings, width, tables)
        prior = tables["prior"]
        self.output = nn.Linear(width, len(prior))
        if settings.prior_bias:
            # Otherwise Adam walks every bias from 0 to about −8 in steps of the learning
            # rate, and the first epochs learn little else.
            with torch.no_grad():
                self.output.bias.copy_(prior)

    def loss(self, encoded: Tensor, labels: Bags) -> Tensor:
        """Binary cross-entropy, summed over all labels, averaged over points.

        log(1 + eᶻ) over all labels minus z over those present: no dense target is made.
        """
        logits = self.scores(encoded)
        present = logits[labels.rows, labels.ids].sum()
        return (F.softplus(logits).sum() - present) / len(logits)

    def scores(self, encoded: Tensor) -> Tensor:
        return full_precision(self.output(encoded))
