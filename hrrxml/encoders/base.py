"""The interface of all encoders."""

from abc import ABC, abstractmethod

import torch
from torch import Tensor, nn

from hrrxml.data.points import Points


class Encoder(nn.Module, ABC):
    width: int
    most_ranked = 1024  # batch size for ranking, without gradients

    @abstractmethod
    def forward(self, batch: Points) -> Tensor:
        """One vector per point: (batch, width)."""

    def work(self, points: Points) -> Tensor:
        """The number of words it reads from each point, or zeros: (points,)."""
        return torch.zeros(len(points), dtype=torch.int64)

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters with sparse gradients, which need an optimiser that supports them."""
        return []
