"""The paper's output layer (§4): d' ≪ L outputs represent the set of present labels.

The target of the network's output ŝ is p ⊗ Σ c over the present labels plus m ⊗ Σ c over
the absent labels (eq. 4). A label's score is the cosine of its vector c and the query p* ⊗ ŝ.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import torch
import torch.nn.functional as F
from pydantic import model_validator
from torch import Tensor, nn

from hrrxml import codebook
from hrrxml.codebook import Codebook
from hrrxml.config.section import Dimension, part_of
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.layers.output import Output
from hrrxml.training import distributed
from hrrxml.vsa import hrr

CodebookName = Annotated[str, part_of("hrrxml.codebook")]
TINY = 1e-12  # the minimum length in a division, as in F.normalize


class Settings(base.Settings):
    dim: Dimension
    loss: Literal["paper", "reference", "positive", "mse"]
    binding: bool
    projection: bool
    inverse: Literal["pseudo", "exact"]
    m: Literal["orthogonal", "projected"]
    codebook: CodebookName
    learn_pm: bool

    @model_validator(mode="after")
    def _fixed_is_not_learned(self) -> Self:
        if self.loss == "mse" and (self.codebook == "learned" or self.learn_pm):
            raise ValueError("loss mse has a fixed target: learn neither codebook nor p and m")
        if self.learn_pm and not self.binding:
            raise ValueError("binding false fixes p at the identity: set learn_pm to false")
        return self


class Head(base.Head):
    """If p and m are fixed and unitary, a training step needs no FFT.

    Correlation is the adjoint of convolution, ⟨p* ⊗ ŝ, c⟩ = ⟨ŝ, p ⊗ c⟩, and unbinding with a
    unitary p keeps lengths. So ŝ is compared with the vectors p ⊗ c, which are computed once.
    """

    p: Tensor
    m: Tensor

    @staticmethod
    def tables(settings: Settings, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """The codebook's tables, and `p` and `m`, each (d',)."""
        d, unitary = settings.dim, settings.projection
        p = hrr.random(1, d, generator=generator)[0]
        book = codebook.get(settings.codebook)
        tables = book.tables(train.n_labels, d, unitary=unitary, generator=generator)
        if unitary:
            p = hrr.project(p)
        if not settings.binding:
            p = hrr.identity(d)
        if settings.m == "orthogonal" and (unitary or not settings.binding):
            m = hrr.orthogonal_unitary(p, generator=generator)
        else:
            m = hrr.random(1, d, generator=generator)[0]
            m = m - p * (m @ p) / (p @ p)
            if unitary:
                m = hrr.project(m)  # as the published code does: no longer orthogonal
        return tables | {"p": p, "m": m}

    def __init__(
        self, settings: Settings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.settings = settings
        self.output = Output(width, settings.dim, n_features, settings.shortcut is not None)
        labels, p, m = codebook.load(settings.codebook, tables), tables["p"], tables["m"]
        if settings.learn_pm:
            self.p, self.m = nn.Parameter(p.clone()), nn.Parameter(m.clone())
        else:
            # Fixed tables are not in the model file, because the `labels` stage stores them.
            self.register_buffer("p", p, persistent=False)
            self.register_buffer("m", m, persistent=False)
        learned = settings.learn_pm or settings.codebook == "learned"
        self.fixed = settings.projection and not learned
        # If the binding is fixed, only the bound vectors are kept.
        self.present = labels.bound(p) if self.fixed else labels
        self.absent = labels.bound(m) if self.fixed else labels

    def sparse_parameters(self) -> list[Tensor]:
        return self.present.sparse_parameters()

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """The chosen loss, summed over each point's labels, averaged over points."""
        s = self.outputs(encoded, batch)  # (B, d')
        labels = batch.labels
        count = distributed.count(len(s))
        if len(s) == 0:  # this process has no points of the batch
            return s.sum()
        if self.fixed and self.settings.loss in ("paper", "positive"):
            similarity: Tensor = _Projections.apply(s, self._direction(labels))
            return (len(labels.ids) - similarity) / count
        if not s.isfinite().all():
            return s.sum() * torch.nan  # training reports the step and the cure
        match self.settings.loss:
            case "mse":
                return F.mse_loss(s, self._target(labels)) * (len(s) / count)
            case "reference":
                return self._reference_loss(s, labels) / count
        # J_p, eq. 6: Σ (1 − ⟨q, c⟩) over a point's labels is |Y| − ⟨q, Σ c⟩.
        present = self.present.bundle(labels)  # (B, d')
        loss = len(labels.ids) - (self._query(s, self.p) * present).sum()
        if self.settings.loss == "paper":
            # J_n, eq. 7. It uses the same sum, because both codebooks hold the unbound c here.
            loss = loss + (self._query(s, self.m) * F.normalize(present, dim=-1)).sum()
        return loss / count

    def _direction(self, labels: Bags) -> Tensor:
        """The t in eq. 6 + eq. 7 = |Y| − ⟨ŝ/‖ŝ‖, t⟩: (B, d')."""
        present = self.present.bundle(labels)
        if self.settings.loss == "positive":
            return present
        return present.sub_(F.normalize(self.absent.bundle(labels), dim=-1))

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        """cos(p* ⊗ ŝ, c) for every label; its magnitude for the loss `reference`: (B, L)."""
        scores = self.present.scores(self._query(self.outputs(encoded, batch), self.p))
        return scores.abs() if self.settings.loss == "reference" else scores

    def top_k(
        self, encoded: Tensor, batch: Points, k: int, among: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        if self.settings.loss == "reference" or among is not None:
            return super().top_k(encoded, batch, k, among)
        return self.present.top_k(self._query(self.outputs(encoded, batch), self.p), k)

    def _query(self, s: Tensor, marker: Tensor) -> Tensor:
        """The unit vector to compare with `present` or `absent`: (B, d')."""
        if not self.fixed:
            if self.settings.learn_pm and self.settings.projection:
                marker = hrr.project(marker)  # as for all learned vectors, §5.5
            exact = self.settings.inverse == "exact"
            s = hrr.bind(s, hrr.exact_inverse(marker)) if exact else hrr.unbind(s, marker)
        return F.normalize(s, dim=-1)

    def _reference_loss(self, s: Tensor, labels: Bags) -> Tensor:
        """The loss of the appendix and the published code, with the magnitude for each label."""
        present = _cosines(self._query(s, self.p), self.present, labels)
        absent = _cosines(self._query(s, self.m), self.absent, labels)
        return (1 - present.abs()).sum() + absent.abs().sum()

    def _target(self, labels: Bags) -> Tensor:
        """s = p ⊗ Σ_present c + m ⊗ (A − Σ_present c), eq. 5."""
        present, absent = self.present.bundle(labels), self.absent.bundle(labels)
        total = self.absent.sum()
        if self.fixed:
            return present + total - absent
        return hrr.bind(self.p, present) + hrr.bind(self.m, total - absent)


class _Projections(torch.autograd.Function):
    """Σ ⟨s/‖s‖, t⟩ over points, for a fixed t.

    Its gradient (t − s·⟨s, t⟩/‖s‖²)/‖s‖ takes two passes. Autograd would take a dozen.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, t: Tensor) -> Tensor:
        lengths = torch.linalg.vector_norm(s, dim=-1, keepdim=True).clamp_min_(TINY)
        similarity = torch.linalg.vecdot(s, t)[:, None] / lengths  # (B, 1)
        ctx.save_for_backward(s, t, lengths, similarity)
        return similarity.sum()

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        s, t, lengths, similarity = ctx.saved_tensors
        return torch.addcmul(t, s, similarity / lengths, value=-1).mul_(outer / lengths), None


def _cosines(queries: Tensor, book: Codebook, labels: Bags) -> Tensor:
    """⟨query, c⟩ for each label of each point: (nnz,)."""
    return (queries[labels.rows] * book.vectors(labels.ids)).sum(-1)
