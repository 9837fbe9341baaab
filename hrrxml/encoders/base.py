"""What every encoder offers to a head and to the optimiser."""

from abc import ABC, abstractmethod

from torch import Tensor, nn

from hrrxml.data.points import Points


class Encoder(nn.Module, ABC):
    width: int

    @abstractmethod
    def forward(self, batch: Points) -> Tensor:
        """One vector per point: (batch, width)."""

    def sparse_parameters(self) -> list[Tensor]:
        """Parameters whose gradients are sparse, for an optimiser that can take them."""
        return []
