"""Many short lists of ids as three flat tensors: CSR rows that torch can gather from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor


@dataclass(frozen=True)
class Bags:
    """Row i holds `ids[offsets[i]:offsets[i+1]]`, optionally with `weights`.

    A whole split stores its ids as int32 to halve the memory. A selection of rows stores them
    as int64, the type that torch needs for indexing.
    """

    ids: Tensor  # (nnz,) int32 or int64
    offsets: Tensor  # (rows + 1,) int64
    weights: Tensor | None = None  # (nnz,) float32

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Tensor:
        return self.offsets.diff()  # (rows,)

    @cached_property
    def rows(self) -> Tensor:
        """The row of each id: (nnz,)."""
        return torch.repeat_interleave(
            torch.arange(len(self), device=self.ids.device), self.lengths
        )

    def select(self, rows: Tensor) -> "Bags":
        """The given rows, in the given order."""
        lengths = self.lengths[rows]
        offsets = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
        shift = self.offsets[rows] - offsets[:-1]
        within = torch.arange(int(offsets[-1]), device=rows.device)
        where = torch.repeat_interleave(shift, lengths) + within
        weights = None if self.weights is None else self.weights[where]
        return Bags(self.ids[where].long(), offsets, weights)

    def thin(self, keep: float) -> "Bags":
        """Keep each id with probability `keep`, and divide the kept weights by `keep`."""
        kept = torch.rand(len(self.ids), device=self.ids.device) < keep
        before = torch.cat([kept.new_zeros(1, dtype=torch.int64), kept.cumsum(0)])
        weights = None if self.weights is None else self.weights[kept] / keep
        return Bags(self.ids[kept], before[self.offsets], weights)

    def to(self, device: torch.device) -> "Bags":
        weights = None if self.weights is None else self.weights.to(device)
        return Bags(self.ids.to(device), self.offsets.to(device), weights)

    @staticmethod
    def from_lists(lists: Sequence[Sequence[int]]) -> "Bags":
        lengths = np.fromiter((len(row) for row in lists), dtype=np.int64, count=len(lists))
        ids = np.fromiter((i for row in lists for i in row), dtype=np.int32, count=lengths.sum())
        offsets = np.concatenate([[0], lengths.cumsum()])
        return Bags(torch.from_numpy(ids), torch.from_numpy(offsets))

    @staticmethod
    def from_csr(matrix: csr_matrix) -> "Bags":
        return Bags(
            torch.from_numpy(matrix.indices.astype(np.int32)),
            torch.from_numpy(matrix.indptr.astype(np.int64)),
            torch.from_numpy(matrix.data.astype(np.float32)),
        )

    def to_csr(self, width: int) -> csr_matrix:
        """A scipy matrix with `width` columns. Values are ones if there are no weights."""
        data = np.ones(len(self.ids), np.float32) if self.weights is None else self.weights.numpy()
        parts = (data, self.ids.numpy(), self.offsets.numpy())
        return csr_matrix(parts, shape=(len(self), width))
