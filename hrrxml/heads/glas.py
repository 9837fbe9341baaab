"""GLaS (Guo et al. 2019): learned unit label vectors, regularised by label co-occurrence.

Algorithm 1 is `regulariser: none`. Algorithm 2 adds a regulariser and input dropout
(`train.keep_features`). The paper does not give the margin, the number of negatives and the
learning rates; our values are in params.yaml.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import torch
import torch.nn.functional as F
from pydantic import Field
from torch import Tensor, nn
from torch.nn.utils.parametrize import register_parametrization

from hrrxml.codebook.learned import Codebook
from hrrxml.config.section import Count, Dimension, Positive
from hrrxml.data import adjacency
from hrrxml.data.adjacency import Measure
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.layers.output import Output
from hrrxml.layers.shared_length import SharedLength
from hrrxml.training import distributed


class Settings(base.Settings):
    dim: Dimension
    loss: Literal["margin", "mining", "softmax"]
    margin: Positive
    length: Positive
    negatives: Annotated[int, Field(ge=0)] | None
    mined: Count
    regulariser: Literal["none", "spreadout", "laplacian", "gravity", "glas"]
    weight: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    adjacency: Measure


class Head(base.Head):
    offsets: Tensor
    ids: Tensor
    weights: Tensor

    @staticmethod
    def tables(settings: Settings, train: Points, generator: torch.Generator) -> dict[str, Tensor]:
        """The initial label vectors, and the rows of U, which are empty if U is not used."""
        n_labels = train.n_labels
        start = Codebook.tables(n_labels, settings.dim, unitary=False, generator=generator)
        u = Bags(torch.empty(0), torch.zeros(n_labels + 1, dtype=torch.int64), torch.empty(0))
        if settings.regulariser in ("glas", "laplacian"):
            u = adjacency.adjacency(train.labels, n_labels, settings.adjacency)
        assert u.weights is not None
        return start | {"offsets": u.offsets, "ids": u.ids, "weights": u.weights}

    def __init__(
        self, settings: Settings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.settings = settings
        self.output = Output(width, settings.dim, n_features, settings.shortcut is not None)
        if width:
            register_parametrization(self.output, "weight", SharedLength(self.output.weight))
        self.labels = Codebook(tables)
        if settings.loss == "softmax":
            # A softmax of cosines within ±1 cannot separate one label from thousands.
            self.length = nn.Parameter(torch.tensor(settings.length))
        for name in ("offsets", "ids", "weights"):
            self.register_buffer(name, tables[name], persistent=False)

    def sparse_parameters(self) -> list[Tensor]:
        return self.labels.sparse_parameters()

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """The chosen loss for one sampled label per point, plus λ times the regulariser."""
        # Points share the candidates, so each process computes the loss of the whole batch.
        phi = distributed.gather(self._embed(encoded, batch))  # (B, d)
        labels = distributed.gather_bags(batch.labels)
        labelled = labels.lengths > 0  # a point without labels has nothing to sample
        if not labelled.any():
            return phi.sum() * 0
        phi = phi[labelled]
        labels = Bags(labels.ids, labels.offsets[F.pad(labelled, (1, 0), value=True)])
        with torch.autocast(phi.device.type, enabled=False):  # float16 sums over B² overflow
            return self._loss(phi, labels) / distributed.processes()

    def _loss(self, phi: Tensor, labels: Bags) -> Tensor:
        sampled = sample(labels)
        candidates = self._candidates(sampled)  # ascending, unique: (C,)
        v = self.labels.vectors(candidates)  # (C, d)
        scores = phi @ v.T  # (B, C)
        target = torch.searchsorted(candidates, sampled)
        own = present(labels, candidates)
        loss = self._classify(scores, target, own)
        if self.settings.regulariser != "none":
            loss = loss + self.settings.weight * self._regularise(phi, v, candidates, target)
        return loss

    def _classify(self, scores: Tensor, target: Tensor, own: Tensor) -> Tensor:
        """The loss of the target against the candidates that are not labels of the point.

        `margin` is eq. 1: a sum over candidates, averaged over points. `mining` averages over the
        mined candidates, too.
        """
        target_score = scores.gather(1, target[:, None])  # (B, 1)
        if self.settings.loss == "softmax":
            others = own.scatter(1, target[:, None], False)  # the point's other labels
            return F.cross_entropy((self.length * scores).masked_fill(others, -torch.inf), target)
        violations = (scores - target_score + self.settings.margin).relu().masked_fill(own, 0)
        if self.settings.loss == "mining":
            most = min(self.settings.mined, violations.shape[1])
            return violations.topk(most).values.mean()
        return violations.sum() / len(violations)

    def _regularise(self, phi: Tensor, v: Tensor, candidates: Tensor, target: Tensor) -> Tensor:
        """(1/B²)‖VᵀV − U‖² over the B sampled labels, with repetitions.

        `spreadout` has U = I. Eq. 2 differs from it by a constant, because every v has length 1.
        `laplacian` is eq. 4, (1/B²) Σ u ‖v − v'‖². `gravity` is (1/B²) Σ (φ_iᵀ v_j)².
        """
        places, counts = target.unique(return_counts=True)
        v, counts, size = v[places], counts.to(v.dtype), len(phi)
        if self.settings.regulariser == "gravity":
            return ((phi @ v.T).square() @ counts).sum() / size**2
        if self.settings.regulariser == "spreadout":
            u = torch.eye(len(v), dtype=v.dtype, device=v.device)
        else:
            u = adjacency.among(Bags(self.ids, self.offsets, self.weights), candidates[places])
        if self.settings.regulariser == "laplacian":
            return counts @ (u * (2 - 2 * v @ v.T)) @ counts / size**2  # ‖v‖ = 1
        return counts @ (v @ v.T - u).square() @ counts / size**2

    def _candidates(self, sampled: Tensor) -> Tensor:
        """The sampled labels plus `negatives` random labels, or all labels if that is None."""
        n = self.labels.n_labels
        if self.settings.negatives is None:
            return torch.arange(n, device=sampled.device)
        drawn = torch.randint(n, (self.settings.negatives,), device=sampled.device)
        return torch.cat([sampled, drawn]).unique()

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        return self.labels.scores(self._embed(encoded, batch))

    def top_k(
        self, encoded: Tensor, batch: Points, k: int, among: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        if among is not None:
            return super().top_k(encoded, batch, k, among)
        return self.labels.top_k(self._embed(encoded, batch), k)

    def _embed(self, encoded: Tensor, batch: Points) -> Tensor:
        """φ(x), of unit length (§3.1): (B, d)."""
        return F.normalize(self.outputs(encoded, batch), dim=-1)


def sample(labels: Bags) -> Tensor:
    """One label of each point, chosen uniformly: (points,). Every point must have a label."""
    lengths = labels.lengths
    chosen = (torch.rand(len(lengths), device=lengths.device) * lengths).long()
    return labels.ids[labels.offsets[:-1] + chosen.clamp(max=lengths - 1)]


def present(labels: Bags, candidates: Tensor) -> Tensor:
    """Whether each point has each of the ascending candidates: (points, candidates)."""
    place = torch.searchsorted(candidates, labels.ids).clamp_(max=len(candidates) - 1)
    is_candidate = candidates[place] == labels.ids
    own = torch.zeros(len(labels), len(candidates), dtype=torch.bool, device=candidates.device)
    own[labels.rows[is_candidate], place[is_candidate]] = True
    return own
