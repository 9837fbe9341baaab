"""What every encoder offers to a head and to the optimiser."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from hrrxml.data.points import Points


class Encoder(nn.Module, ABC):
    width: int
    most_ranked = 1024  # points at once when there is nothing to learn

    @abstractmethod
    def forward(self, batch: Points) -> Tensor:
        """One vector per point: (batch, width)."""

    def work(self, points: Points) -> Tensor:
        """How many words it reads of each point; zeros if it reads none."""
        return torch.zeros(len(points), dtype=torch.int64)

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters whose gradients are sparse, for an optimiser that can take them."""
        return []
