"""The interface of all codebooks: label vectors, their sums, scores and the best k labels."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

import torch
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.search import sharding


class Codebook(nn.Module, ABC):
    n_labels: int
    unit = 1  # shards are multiples of this many labels

    @staticmethod
    @abstractmethod
    def tables(
        n_labels: int, d: int, *, unitary: bool, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """The tensors to store for n random label vectors; `unitary` projects them (eq. 3)."""

    @abstractmethod
    def __init__(self, tables: Mapping[str, Tensor]) -> None:
        super().__init__()

    @abstractmethod
    def vectors(self, ids: Tensor) -> Tensor:
        """The unit vectors c of the labels `ids`: (n, d)."""

    @abstractmethod
    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        """⟨query, c⟩ for all labels, in blocks of labels: (queries, labels in the block).

        Use a block before you ask for the next, because the next may reuse its memory.
        """

    @abstractmethod
    def sum(self) -> Tensor:
        """A = Σ c over all labels: (d,)."""

    @abstractmethod
    def bound(self, marker: Tensor) -> "Codebook":
        """A codebook with the vectors marker ⊗ c."""

    def bundle(self, labels: Bags) -> Tensor:
        """Σ c over each point's labels: (points, d)."""
        c = self.vectors(labels.ids)
        return c.new_zeros(len(labels), c.shape[-1]).index_add(0, labels.rows, c)

    def scores(self, queries: Tensor) -> Tensor:
        """⟨query, c⟩ for all labels: (queries, labels)."""
        return torch.cat([block.clone() for block in self.score_blocks(queries)], dim=1)

    def top_k(self, queries: Tensor, k: int) -> tuple[Tensor, Tensor]:
        """Ids and scores of the k best labels, best first: (queries, k). The lower id wins ties."""
        return sharding.top_k(queries, k, self.n_labels, self.search, self.unit)

    @abstractmethod
    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        """Ids and scores of the k best in a range of labels, which is a multiple of `unit`."""

    def sparse_parameters(self) -> list[Tensor]:
        return []
