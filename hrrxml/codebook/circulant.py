"""A codebook of rolled base vectors, which stores O(L) numbers instead of O(L·d).

The vector of label i = b·d + k is base b rolled by k places, which is base b bound to a delta at
k. A unitary vector is orthogonal to all its rolls, so the d labels of a base are exactly
orthonormal. Labels of different bases behave like independent random vectors. Only the ⌈L/d⌉
bases are stored. One correlation per base gives the scores of its labels, so all scores take
O(L log d) instead of O(L·d).
"""

from collections.abc import Iterator, Mapping
from math import ceil

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import rfft

from hrrxml.codebook import base
from hrrxml.search.exact import circulant_part, circulant_scores
from hrrxml.vsa import hrr


class Codebook(base.Codebook):
    bases: Tensor
    doubled: Tensor
    real_spectra: Tensor

    @staticmethod
    def tables(
        n_labels: int, d: int, *, unitary: bool, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """`bases` (⌈L/d⌉, d) and `n_labels`."""
        bases = hrr.random(ceil(n_labels / d), d, generator=generator)
        bases = hrr.project(bases) if unitary else F.normalize(bases, dim=-1)
        return {"bases": bases, "n_labels": torch.tensor(n_labels)}

    def __init__(self, tables: Mapping[str, Tensor]) -> None:
        super().__init__(tables)
        bases = tables["bases"]
        self.n_labels, self.unit = int(tables["n_labels"]), bases.shape[1]
        self.register_buffer("bases", bases, persistent=False)
        # Each base is repeated, so that every roll of it is d consecutive numbers.
        self.register_buffer("doubled", torch.cat([bases, bases], dim=1), persistent=False)
        # Stored as pairs of real numbers, because `double()` skips complex buffers.
        self.register_buffer("real_spectra", torch.view_as_real(rfft(bases)), persistent=False)

    @property
    def spectra(self) -> Tensor:
        """`rfft` of the bases: (⌈L/d⌉, d/2 + 1)."""
        return torch.view_as_complex(self.real_spectra)

    def vectors(self, ids: Tensor) -> Tensor:
        d = self.bases.shape[1]
        starts = ids // d * (2 * d) + (d - ids % d)
        # A view of all windows of d numbers; only the selected rows are copied.
        windows = self.doubled.view(-1).unfold(0, d, 1)
        return windows.index_select(0, starts)

    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        return circulant_scores(queries, self.spectra, self.n_labels)

    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        return circulant_part(queries, self.spectra, labels, k)

    def sum(self) -> Tensor:
        """A = Σ c: (d,). The d rolls of a base sum to a constant vector, the sum of its entries.

        The last base may have fewer than d labels; these are added one by one.
        """
        d = self.bases.shape[1]
        whole = self.n_labels // d
        rest = torch.arange(whole * d, self.n_labels, device=self.bases.device)
        return self.bases[:whole].sum().expand(d) + self.vectors(rest).sum(0)

    def bound(self, marker: Tensor) -> "Codebook":
        n_labels = torch.tensor(self.n_labels)
        return Codebook({"bases": hrr.bind(self.bases, marker), "n_labels": n_labels})
