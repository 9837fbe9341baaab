"""A learned codebook. If it is unitary, every use projects the learned vectors (§5.5)."""

from collections.abc import Iterator, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.codebook import base, random
from hrrxml.search.exact import best_of, block_size
from hrrxml.vsa import hrr


class Codebook(base.Codebook):
    @staticmethod
    def tables(
        n_labels: int, d: int, *, unitary: bool, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """The initial vectors (L, d), and whether they are unitary."""
        start = random.Codebook.tables(n_labels, d, unitary=unitary, generator=generator)
        return start | {"unitary": torch.tensor(unitary)}

    def __init__(self, tables: Mapping[str, Tensor]) -> None:
        super().__init__(tables)
        self.n_labels = len(tables["vectors"])
        self.unitary = bool(tables["unitary"])
        self.table = nn.Parameter(tables["vectors"].clone())
        self.sparse = True  # its gradient has rows for the labels of the batch alone

    def vectors(self, ids: Tensor) -> Tensor:
        return self._at_unit_length(F.embedding(ids, self.table, sparse=self.sparse))

    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        return self._score_blocks(queries, self.table)

    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        ids, scores = best_of(self._score_blocks(queries, self.table[labels]), k)
        return ids + labels.start, scores

    def _score_blocks(self, queries: Tensor, table: Tensor) -> Iterator[Tensor]:
        for block in table.split(block_size(queries)):  # so that the whole table is never copied
            yield queries @ self._at_unit_length(block).T

    def sum(self) -> Tensor:
        return hrr.bundle(self._at_unit_length(self.table))

    def bound(self, marker: Tensor) -> base.Codebook:
        raise NotImplementedError("learned vectors change, so they cannot be bound in advance")

    def _at_unit_length(self, learned: Tensor) -> Tensor:
        return hrr.project(learned) if self.unitary else F.normalize(learned, dim=-1)

    def sparse_parameters(self) -> list[Tensor]:
        return [self.table]
