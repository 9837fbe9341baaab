"""The paper's output layer (§4): d' ≪ L outputs read as a holographic statement.

The network's output ŝ is to say "these labels are present": p ⊗ Σ c over the present
ones, plus m ⊗ Σ c over the absent ones (eq. 4). A label's score is how well its vector
c answers the query p* ⊗ ŝ.
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
TINY = 1e-12  # the least length that is divided by, as in F.normalize


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
    """With p and m fixed and unitary, no FFT is left in a training step.

    Correlation is the adjoint of convolution, ⟨p* ⊗ ŝ, c⟩ = ⟨ŝ, p ⊗ c⟩, and unbinding by a
    unitary p keeps lengths. So ŝ itself is compared, with vectors that were bound beforehand.
    """

    p: Tensor
    m: Tensor

    @staticmethod
    def tables(settings: Settings, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """The codebook's tables, `p` and `m` (d')."""
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
            # Fixed tables stay out of the model file: the `labels` stage has them already.
            self.register_buffer("p", p, persistent=False)
            self.register_buffer("m", m, persistent=False)
        learned = settings.learn_pm or settings.codebook == "learned"
        self.fixed = settings.projection and not learned
        # Of what is bound for good only the bound form is kept.
        self.present = labels.bound(p) if self.fixed else labels
        self.absent = labels.bound(m) if self.fixed else labels

    def sparse_parameters(self) -> list[Tensor]:
        return self.present.sparse_parameters()

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """The chosen loss, summed over each point's labels, averaged over points."""
        s = self.outputs(encoded, batch)  # (B, d')
        labels = batch.labels
        count = distributed.count(len(s))
        if len(s) == 0:  # a process that has none of the batch's points
            return s.sum()
        if self.fixed and self.settings.loss in ("paper", "positive"):
            found: Tensor = _Projections.apply(s, self._direction(labels))
            return (len(labels.ids) - found) / count
        if not s.isfinite().all():
            return s.sum() * torch.nan  # it diverged: training names the step and the cure
        match self.settings.loss:
            case "mse":
                return F.mse_loss(s, self._target(labels)) * (len(s) / count)
            case "reference":
                return self._reference_loss(s, labels) / count
        # J_p, eq. 6: Σ (1 − ⟨q, c⟩) over a point's labels is their number less ⟨q, Σ c⟩.
        present = self.present.bundle(labels)  # (B, d')
        loss = len(labels.ids) - (self._query(s, self.p) * present).sum()
        if self.settings.loss == "paper":
            # J_n, eq. 7; its vectors are the same, what is not fixed being bound at every step.
            loss = loss + (self._query(s, self.m) * F.normalize(present, dim=-1)).sum()
        return loss / count

    def _direction(self, labels: Bags) -> Tensor:
        """t of eq. 6 + 7 in closed form, |Y| − ⟨ŝ/‖ŝ‖, t⟩: (B, d')."""
        present = self.present.bundle(labels)
        if self.settings.loss == "positive":
            return present
        return present.sub_(F.normalize(self.absent.bundle(labels), dim=-1))

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        """cos(p* ⊗ ŝ, c) for every label; its magnitude where the loss trains that."""
        scores = self.present.scores(self._query(self.outputs(encoded, batch), self.p))
        return scores.abs() if self.settings.loss == "reference" else scores

    def top_k(self, encoded: Tensor, batch: Points, k: int) -> Tensor:
        if self.settings.loss == "reference":
            return super().top_k(encoded, batch, k)
        return self.present.top_k(self._query(self.outputs(encoded, batch), self.p), k)[0]

    def _query(self, s: Tensor, marker: Tensor) -> Tensor:
        """What to compare `present` or `absent` with, at unit length: (B, d')."""
        if not self.fixed:
            if self.settings.learn_pm and self.settings.projection:
                marker = hrr.project(marker)  # as all that is learned, §5.5
            exact = self.settings.inverse == "exact"
            s = hrr.bind(s, hrr.exact_inverse(marker)) if exact else hrr.unbind(s, marker)
        return F.normalize(s, dim=-1)

    def _reference_loss(self, s: Tensor, labels: Bags) -> Tensor:
        """What the appendix and the published code minimise: magnitudes, label by label."""
        found = _cosines(self._query(s, self.p), self.present, labels)
        absent = _cosines(self._query(s, self.m), self.absent, labels)
        return (1 - found.abs()).sum() + absent.abs().sum()

    def _target(self, labels: Bags) -> Tensor:
        """s = p ⊗ Σ_present c + m ⊗ (A − Σ_present c), eq. 5."""
        here, there = self.present.bundle(labels), self.absent.bundle(labels)
        everywhere = self.absent.sum()
        if self.fixed:
            return here + everywhere - there
        return hrr.bind(self.p, here) + hrr.bind(self.m, everywhere - there)


class _Projections(torch.autograd.Function):
    """Σ ⟨s/‖s‖, t⟩ over points, for a fixed t.

    Its gradient (t − s·⟨s, t⟩/‖s‖²)/‖s‖ is two passes, where autograd would make a dozen.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, t: Tensor) -> Tensor:
        lengths = torch.linalg.vector_norm(s, dim=-1, keepdim=True).clamp_min_(TINY)
        found = torch.linalg.vecdot(s, t)[:, None] / lengths  # (B, 1)
        ctx.save_for_backward(s, t, lengths, found)
        return found.sum()

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        s, t, lengths, found = ctx.saved_tensors
        return torch.addcmul(t, s, found / lengths, value=-1).mul_(outer / lengths), None


def _cosines(queries: Tensor, labelled: Codebook, labels: Bags) -> Tensor:
    """⟨query of the point, c⟩ for each label present: (nnz,)."""
    return (queries[labels.rows] * labelled.vectors(labels.ids)).sum(-1)
