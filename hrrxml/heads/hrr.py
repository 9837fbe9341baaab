"""The paper's output layer (§4): d' ≪ L outputs represent the set of present labels.

The target of the network's output ŝ is p ⊗ Σ c over the present labels plus m ⊗ Σ c over
the absent labels (eq. 4). A label's score is the cosine of its vector c and the query p* ⊗ ŝ.

The loss has two terms: J_p (eq. 6) is least where the present labels answer to p, and J_n (eq. 7)
should be least where they do not answer to m, "no overlap" (§4). Eq. 7 as printed is
cos(m* ⊗ ŝ, Σ c), which is least at −1, not at 0. So `loss` is one of

- `absolute`: eq. 6 + |eq. 7|, the default: what §4 wants.
- `signed`: eq. 6 + eq. 7 as printed. If p and m are learned, m = −p solves it.
- `reference`: the sum of bars of appendix C and of the authors' code, which ranks by |cos|.
- `positive`: eq. 6 alone.
- `mse`: the squared error to eq. 5.
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
    loss: Literal["absolute", "signed", "reference", "positive", "mse"]
    binding: bool
    projection: bool
    inverse: Literal["pseudo", "exact"]
    m: Literal["orthogonal", "projected"]
    codebook: CodebookName
    learn_pm: bool
    project_pm: bool

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

    threshold = 0.5  # appendix H

    p: Tensor
    m: Tensor
    all_labels: Tensor  # A = Σ c over all labels (eq. 4), which only `mse` needs: (d',)

    @staticmethod
    def tables(settings: Settings, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """The codebook's tables, and `p`, `m` and `all_labels`, each (d',)."""
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
        total = codebook.load(settings.codebook, tables).sum().detach()
        return tables | {"p": p, "m": m, "all_labels": total}

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
        self.register_buffer("all_labels", tables["all_labels"], persistent=False)
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
        if self.fixed and self.settings.loss in ("absolute", "signed", "positive"):
            similarity: Tensor = _Projections.apply(s, self._direction(s, labels))
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
        if self.settings.loss in ("absolute", "signed"):
            # J_n, eq. 7. It uses the same sum, because both codebooks hold the unbound c here.
            overlap = (self._query(s, self.m) * F.normalize(present, dim=-1)).sum(-1)  # (B,)
            loss = loss + (overlap.abs() if self.settings.loss == "absolute" else overlap).sum()
        return loss / count

    def _direction(self, s: Tensor, labels: Bags) -> Tensor:
        """The t in J_p + J_n = |Y| − ⟨ŝ/‖ŝ‖, t⟩: (B, d').

        |eq. 7| is eq. 7 times its own sign, and the sign has no gradient.
        """
        present = self.present.bundle(labels)
        if self.settings.loss == "positive":
            return present
        absent = F.normalize(self.absent.bundle(labels), dim=-1)
        if self.settings.loss == "absolute":
            absent *= torch.linalg.vecdot(s.detach(), absent).sign()[:, None]
        return present.sub_(absent)

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
            marker = self._used(marker)
            exact = self.settings.inverse == "exact"
            s = hrr.bind(s, hrr.exact_inverse(marker)) if exact else hrr.unbind(s, marker)
        return F.normalize(s, dim=-1)

    def _used(self, marker: Tensor) -> Tensor:
        """A learned marker is projected at every use, as all learned vectors are (§5.5)."""
        settings = self.settings
        projected = settings.learn_pm and settings.project_pm and settings.projection
        return hrr.project(marker) if projected else marker

    def watch(self) -> dict[str, float]:
        """cos(p, m) while they are learned: the signed loss drives it to −1."""
        if not self.settings.learn_pm:
            return {}
        cosine = F.cosine_similarity(self._used(self.p), self._used(self.m), dim=0)
        return {"marker_cosine": round(cosine.item(), 4)}

    def _reference_loss(self, s: Tensor, labels: Bags) -> Tensor:
        """The loss of the appendix and the published code, with the magnitude for each label."""
        present = _cosines(self._query(s, self.p), self.present, labels)
        absent = _cosines(self._query(s, self.m), self.absent, labels)
        return (1 - present.abs()).sum() + absent.abs().sum()

    def _target(self, labels: Bags) -> Tensor:
        """s = p ⊗ Σ_present c + m ⊗ (A − Σ_present c), eq. 5."""
        present, absent = self.present.bundle(labels), self.absent.bundle(labels)
        if self.fixed:  # both sums are bound already
            return present + hrr.bind(self.m, self.all_labels) - absent
        return hrr.bind(self.p, present) + hrr.bind(self.m, self.all_labels - absent)


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
