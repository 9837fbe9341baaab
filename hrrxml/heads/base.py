"""What every head offers: label tables made once, a loss, and a ranking."""

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
    """Of each label in the training split, smoothed by one point: (labels,)."""
    counts = torch.bincount(train.labels.ids, minlength=train.n_labels).double()
    share = (counts + 1) / (len(train) + 2)
    return share.logit().float()


class Settings(Section):
    """What every head's section has."""

    learning_rate: Positive
    decay: Annotated[float, Field(gt=0, le=1)]  # factor of the rate after every epoch
    shortcut: Positive | None  # rate of the linear path, as a multiple of learning_rate


class LogisticSettings(Settings):
    """What the section of a head with one logit per label has."""

    tail: Annotated[float, Field(ge=0, le=1)]


class Head(nn.Module, ABC):
    output: Output

    @staticmethod
    @abstractmethod
    def tables(settings: Any, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """What is known of the labels before training: written once by the `labels` stage."""

    @abstractmethod
    def __init__(
        self, settings: Any, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__()

    @abstractmethod
    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """The mean loss of a batch, of whose points the encoder made (batch, width) vectors.

        Where several processes have a part of the batch each, this one's share of that: what all
        of them return has the mean for its sum.
        """

    @abstractmethod
    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        """One score per label, the higher the likelier: (batch, labels)."""

    def top_k(self, encoded: Tensor, batch: Points, k: int) -> Tensor:
        """The k best labels, best first: (batch, k)."""
        if (
            len(encoded) == 0
        ):  # a process that has none of the points; an FFT takes no less than one
            return torch.empty(0, 0, dtype=torch.int64)
        return top_k(self.scores(encoded, batch), k)

    def outputs(self, encoded: Tensor, batch: Points) -> Tensor:
        """What mixed precision halves is whole again: FFT and sums over all labels need it."""
        outputs: Tensor = self.output(encoded, batch.features)
        return outputs.float() if outputs.dtype in (torch.bfloat16, torch.float16) else outputs

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters with sparse gradients, besides the output layer's."""
        return []
