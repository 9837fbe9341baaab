"""What every head offers: label tables made once, a loss, and a ranking."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.ranking import top_k


def full_precision(output: Tensor) -> Tensor:
    """What mixed precision halves, whole again: FFT and sums over all labels need it."""
    return output.float() if output.dtype in (torch.bfloat16, torch.float16) else output


class Head(nn.Module, ABC):
    @staticmethod
    @abstractmethod
    def tables(settings: Any, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """What is known of the labels before training: written once by the `labels` stage."""

    @abstractmethod
    def __init__(self, settings: Any, width: int, tables: Mapping[str, Tensor]) -> None:
        super().__init__()

    @abstractmethod
    def loss(self, encoded: Tensor, labels: Bags) -> Tensor:
        """The loss of a batch, from (batch, width) vectors and the labels present."""

    @abstractmethod
    def scores(self, encoded: Tensor) -> Tensor:
        """One score per label, the higher the likelier: (batch, labels)."""

    def top_k(self, encoded: Tensor, k: int) -> Tensor:
        """The k best labels, best first: (batch, k)."""
        return top_k(self.scores(encoded), k)

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters whose gradients are sparse, for an optimiser that can take them."""
        return []
