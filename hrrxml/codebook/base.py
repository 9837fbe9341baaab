"""What every codebook offers: vectors of some labels, their sums, scores, and the best k."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.search import sharding


class Codebook(nn.Module, ABC):
    n_labels: int
    unit = 1  # labels that cannot be divided among processes

    @staticmethod
    @abstractmethod
    def tables(
        n_labels: int, d: int, *, unitary: bool, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """What has to be kept of n labels' random vectors; `unitary` by projection (eq. 3)."""

    @abstractmethod
    def __init__(self, tables: Mapping[str, Tensor]) -> None:
        super().__init__()

    @abstractmethod
    def vectors(self, ids: Tensor) -> Tensor:
        """The unit vectors c of some labels: (n, d)."""

    @abstractmethod
    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        """⟨query, c⟩ of all labels, some at a time: (queries, some) after another.

        A block is to be used before the next is asked for, which may take its memory.
        """

    @abstractmethod
    def sum(self) -> Tensor:
        """A = Σ c over all labels: (d,)."""

    @abstractmethod
    def bound(self, marker: Tensor) -> "Codebook":
        """The codebook of marker ⊗ c."""

    def bundle(self, labels: Bags) -> Tensor:
        """Σ c over each point's labels: (points, d)."""
        c = self.vectors(labels.ids)
        return c.new_zeros(len(labels), c.shape[-1]).index_add(0, labels.rows, c)

    def scores(self, queries: Tensor) -> Tensor:
        """⟨query, c⟩ of all labels: (queries, labels)."""
        return torch.cat([block.clone() for block in self.score_blocks(queries)], dim=1)

    def top_k(self, queries: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """Ids and scores of the k best labels, best first, ties to the lower id."""
        return sharding.top_k(queries, k, self.n_labels, self.search, self.unit)

    @abstractmethod
    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        """The same among a stretch of the labels, whole units of them."""

    def sparse_parameters(self) -> list[Tensor]:
        return []
