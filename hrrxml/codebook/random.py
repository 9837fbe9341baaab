"""The paper's codebook: it stores an independent random vector for every label."""

from collections.abc import Iterator, Mapping

import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.codebook import base
from hrrxml.search.exact import flat, flat_scores
from hrrxml.vsa import hrr


class Codebook(base.Codebook):
    table: Tensor

    @staticmethod
    def tables(
        n_labels: int, d: int, *, unitary: bool, generator: torch.Generator
    ) -> dict[str, Tensor]:
        vectors = hrr.random(n_labels, d, generator=generator)
        return {"vectors": hrr.project(vectors) if unitary else F.normalize(vectors, dim=-1)}

    def __init__(self, tables: Mapping[str, Tensor]) -> None:
        super().__init__(tables)
        self.n_labels = len(tables["vectors"])
        self.register_buffer("table", tables["vectors"], persistent=False)

    def vectors(self, ids: Tensor) -> Tensor:
        return self.table.index_select(0, ids)

    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        return flat_scores(queries, self.table)

    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        ids, scores = flat(queries, self.table[labels], k)
        return ids + labels.start, scores

    def sum(self) -> Tensor:
        return hrr.bundle(self.table)

    def bound(self, marker: Tensor) -> "Codebook":
        return Codebook({"vectors": hrr.bind(self.table, marker)})
