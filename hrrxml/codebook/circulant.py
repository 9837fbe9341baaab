"""Label vectors that need no memory: the rolls of a few base vectors.

Label i = b·d + k has base b rolled by k places: bound with a delta at k, and so a symbol like
any other. A unitary vector is orthogonal to all its rolls, so the d labels of a base are exactly
orthonormal; those of different bases are as independent random vectors. ⌈L/d⌉ bases are all that
is kept, O(L) numbers instead of O(L·d), and the scores of a base's labels are one correlation,
O(L log d) for all instead of O(L·d).
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
        # Each base twice in a row: every roll of it is then d numbers in a row.
        self.register_buffer("doubled", torch.cat([bases, bases], dim=1), persistent=False)
        # As pairs of real numbers, since `double()` passes over complex ones.
        self.register_buffer("real_spectra", torch.view_as_real(rfft(bases)), persistent=False)

    @property
    def spectra(self) -> Tensor:
        """`rfft` of the bases: (⌈L/d⌉, d/2 + 1)."""
        return torch.view_as_complex(self.real_spectra)

    def vectors(self, ids: Tensor) -> Tensor:
        d = self.bases.shape[1]
        starts = ids // d * (2 * d) + (d - ids % d)
        # A view of all stretches of d numbers, from which rows are copied; nothing is expanded.
        windows = self.doubled.view(-1).unfold(0, d, 1)
        return windows.index_select(0, starts)

    def score_blocks(self, queries: Tensor) -> Iterator[Tensor]:
        return circulant_scores(queries, self.spectra, self.n_labels)

    def search(self, queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
        return circulant_part(queries, self.spectra, labels, k)

    def sum(self) -> Tensor:
        """All rolls of a base sum to its own sum, everywhere; the last base may lack some."""
        d = self.bases.shape[1]
        whole = self.n_labels // d
        rest = torch.arange(whole * d, self.n_labels, device=self.bases.device)
        return self.bases[:whole].sum().expand(d) + self.vectors(rest).sum(0)

    def bound(self, marker: Tensor) -> "Codebook":
        n_labels = torch.tensor(self.n_labels)
        return Codebook({"bases": hrr.bind(self.bases, marker), "n_labels": n_labels})
