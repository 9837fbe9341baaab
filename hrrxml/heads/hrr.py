"""The paper's output layer (§4): d' ≪ L outputs read as a holographic statement.

The network's output ŝ is to say "these labels are present": p ⊗ Σ c over the present
ones, plus m ⊗ Σ c over the absent ones (eq. 4). A label's score is how well its vector
c answers the query p* ⊗ ŝ.
"""

from collections.abc import Mapping

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import full_precision
from hrrxml.schema import HRR
from hrrxml.vsa import hrr


class Head(base.Head):
    p: Tensor
    m: Tensor
    vectors: Tensor
    all_labels: Tensor

    @staticmethod
    def tables(settings: HRR, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """`vectors` c (L, d'), `p`, `m` (d'), and `all_labels` A = Σ c (d')."""
        d = settings.dim
        p = hrr.random(1, d, generator=generator)[0]
        vectors = hrr.random(train.n_labels, d, generator=generator)
        if settings.projection:
            p, vectors = hrr.project(p), hrr.project(vectors)
        if not settings.binding:
            p = hrr.identity(d)
        if settings.projection or not settings.binding:
            m = hrr.orthogonal_unitary(p, generator=generator)
        else:
            m = hrr.random(1, d, generator=generator)[0]
            m = m - p * (m @ p) / (p @ p)
        return {"vectors": vectors, "p": p, "m": m, "all_labels": hrr.bundle(vectors)}

    def __init__(self, settings: HRR, width: int, tables: Mapping[str, Tensor]) -> None:
        super().__init__(settings, width, tables)
        self.settings = settings
        self.output = nn.Linear(width, settings.dim)
        self._keep("p", tables["p"], learn=settings.learn_pm)
        self._keep("m", tables["m"], learn=settings.learn_pm)
        self._keep("vectors", tables["vectors"], learn=settings.learn_labels)
        self._keep("all_labels", tables["all_labels"], learn=False)

    def _keep(self, name: str, value: Tensor, *, learn: bool) -> None:
        """Fixed tables stay out of the model file: the `labels` stage has them already."""
        if learn:
            setattr(self, name, nn.Parameter(value.clone()))
        else:
            self.register_buffer(name, value, persistent=False)

    def sparse_parameters(self) -> list[Tensor]:
        return [self.vectors] if self.settings.learn_labels else []

    def loss(self, encoded: Tensor, labels: Bags) -> Tensor:
        """The chosen loss, summed over each point's labels, averaged over points."""
        s = full_precision(self.output(encoded))  # (B, d')
        if not s.isfinite().all():
            return s.sum() * torch.nan  # it diverged: training names the step and the cure
        c = self._label_vectors(labels.ids)  # (nnz, d')
        if self.settings.loss == "mse":
            return F.mse_loss(s, self._target(c, labels))
        found = _cosines(self._unbind(s, self.p), c, labels)  # (nnz,)
        if self.settings.loss == "reference":
            # What the appendix and the published code minimise: magnitudes, label by label.
            absent = _cosines(self._unbind(s, self.m), c, labels)  # (nnz,)
            return ((1 - found.abs()).sum() + absent.abs().sum()) / len(s)
        loss = (1 - found).sum()  # J_p, eq. 6
        if self.settings.loss == "paper":
            present = F.normalize(_bundle(c, labels), dim=-1)  # (B, d')
            loss = loss + (self._unbind(s, self.m) * present).sum()  # J_n, eq. 7
        return loss / len(s)

    def scores(self, encoded: Tensor) -> Tensor:
        """cos(p* ⊗ ŝ, c) for every label; its magnitude where the loss trains that."""
        query = self._unbind(full_precision(self.output(encoded)), self.p)  # (B, d')
        scores = query @ F.normalize(self._label_vectors(), dim=-1).T
        return scores.abs() if self.settings.loss == "reference" else scores

    def _unbind(self, s: Tensor, marker: Tensor) -> Tensor:
        """What ŝ holds bound to p or m, at unit length: (B, d')."""
        if self.settings.learn_pm:
            marker = self._reproject(marker)
        return F.normalize(hrr.unbind(s, marker), dim=-1)

    def _label_vectors(self, ids: Tensor | None = None) -> Tensor:
        """The vectors c of some labels, or of all."""
        if not self.settings.learn_labels:
            return self.vectors if ids is None else self.vectors[ids]
        some = self.vectors if ids is None else F.embedding(ids, self.vectors, sparse=True)
        return self._reproject(some)

    def _reproject(self, learned: Tensor) -> Tensor:
        """Learned vectors are always back-propagated through the projection (§5.5)."""
        return hrr.project(learned) if self.settings.projection else learned

    def _target(self, c: Tensor, labels: Bags) -> Tensor:
        """s = p ⊗ Σ_present c + m ⊗ (A − Σ_present c), eq. 5."""
        present = _bundle(c, labels)
        return hrr.bind(self.p, present) + hrr.bind(self.m, self.all_labels - present)


def _cosines(queries: Tensor, c: Tensor, labels: Bags) -> Tensor:
    """cos(query of the point, c) for each label present: (nnz,)."""
    return (queries[labels.rows] * F.normalize(c, dim=-1)).sum(-1)


def _bundle(c: Tensor, labels: Bags) -> Tensor:
    """Σ c over each point's labels: (B, d')."""
    return c.new_zeros(len(labels), c.shape[-1]).index_add(0, labels.rows, c)
