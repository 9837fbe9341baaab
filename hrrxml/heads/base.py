"""The interface of all heads: fixed label tables, a loss and a ranking."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Annotated, Any

import torch
from pydantic import Field
from torch import Tensor, nn

from hrrxml.config.section import Positive, Section
from hrrxml.data.points import Points
from hrrxml.layers.output import Output
from hrrxml.search.ranking import top_k


def log_odds(train: Points) -> Tensor:
    """The log-odds of each label in the training split, with add-one smoothing: (labels,)."""
    counts = torch.bincount(train.labels.ids, minlength=train.n_labels)
    return log_odds_of_counts(counts, len(train))


def log_odds_of_counts(counts: Tensor, n_points: int) -> Tensor:
    """The log-odds of labels that `counts` of n points have, with add-one smoothing: (labels,)."""
    share = (counts.double() + 1) / (n_points + 2)
    return share.logit().float()


class Settings(Section):
    """The settings that all heads share."""

    learning_rate: Positive
    decay: Annotated[float, Field(gt=0, le=1)]  # factor of the learning rate per epoch
    shortcut: Positive | None  # learning rate of the linear path / learning_rate
    whole_rows: bool = False  # one second moment for each row of the linear path, not each weight


class LogisticSettings(Settings):
    """The settings of heads with one logit per label."""

    tail: Annotated[float, Field(ge=0, le=1)]


class Head(nn.Module, ABC):
    output: Output
    threshold: float | None = None  # the score from which on a label counts as present, if stated

    @staticmethod
    @abstractmethod
    def tables(settings: Any, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """Label tensors that are fixed before training. The `labels` stage writes them."""

    @abstractmethod
    def __init__(
        self, settings: Any, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__()

    @abstractmethod
    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """The mean loss of a batch, where `encoded` is the encoder's output (batch, width).

        If several processes share the batch, each returns its part, and the parts sum to the mean.
        """

    @abstractmethod
    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        """One score per label; a higher score means a likelier label: (batch, labels)."""

    def top_k(
        self, encoded: Tensor, batch: Points, k: int, among: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Ids and scores of the k best labels, best first: (batch, k) each.

        `among` restricts the search: it is true for the labels that may be found, (labels,). All
        other labels have the score −∞.
        """
        if len(encoded) == 0:  # this process has no points, and an FFT needs at least one
            return torch.empty(0, 0, dtype=torch.int64), encoded.new_empty(0, 0)
        scores = self.scores(encoded, batch)
        if among is not None:
            scores = scores.masked_fill(~among, -torch.inf)
        ids = top_k(scores, k)
        return ids, scores.gather(1, ids)

    def watch(self) -> dict[str, float]:
        """What the learning curve records of this head after each epoch, by name."""
        return {}

    def outputs(self, encoded: Tensor, batch: Points) -> Tensor:
        """The output layer in float32 or more, because FFT and sums over all labels need it."""
        outputs: Tensor = self.output(encoded, batch.features)
        return outputs.float() if outputs.dtype in (torch.bfloat16, torch.float16) else outputs

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters with sparse gradients, without those of the output layer."""
        return []
