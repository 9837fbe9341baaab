"""d' ≪ L outputs, trained on every label: exact cross-entropy through circulant codes.

Scores of all labels in O(L log d') make affordable what the paper's loss avoids. A label's logit
is scale·⟨ŝ, c⟩ + bias, and the loss is the baseline's. (Binding by p would only turn ŝ and all c
alike, which the layer that makes ŝ can do itself: there is none.)
"""

from collections.abc import Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.fft import irfft, rfft

from hrrxml.codebook.circulant import Codebook
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import log_odds
from hrrxml.heads.output import Output
from hrrxml.schema import Holographic
from hrrxml.search import BLOCK, best_of, circulant_scores


class Head(base.Head):
    weights: Tensor

    @staticmethod
    def tables(
        settings: Holographic, train: Points, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """The codebook's `bases`, and each label's `prior` log-odds."""
        tables = Codebook.tables(train.n_labels, settings.dim, unitary=True, generator=generator)
        return tables | {"prior": log_odds(train)}

    def __init__(
        self, settings: Holographic, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.output = Output(width, settings.dim, n_features, settings.shortcut is not None)
        self.labels = Codebook(tables)
        self.scale = nn.Parameter(torch.ones(()))
        self.bias = nn.Parameter(tables["prior"].clone())
        # exp(−prior) is close to a label's inverse share, so that tail 1 would weigh all alike.
        weights = (-settings.tail * tables["prior"]).exp()
        self.register_buffer("weights", weights, persistent=False)
        self.settings = settings

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """Binary cross-entropy, summed over all labels, averaged over points."""
        s = self.outputs(encoded, batch)  # (B, d')
        labels = batch.labels
        everything: Tensor = _SoftplusOfAll.apply(s, self.scale, self.bias, self.labels.spectra)
        if not self.settings.tail:
            # Of a label that is present, softplus(z) − z is due: z is linear in Σ c.
            z = self.scale * (s * self.labels.bundle(labels)).sum() + self.bias[labels.ids].sum()
            return (everything - z) / len(s)
        cosines = (s[labels.rows] * self.labels.vectors(labels.ids)).sum(-1)
        z = self.scale * cosines + self.bias[labels.ids]  # (nnz,)
        present = self.weights[labels.ids] * F.softplus(-z) - F.softplus(z)
        return (everything + present.sum()) / len(s)

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        return torch.cat(list(self._score_blocks(encoded, batch)), dim=1)

    def top_k(self, encoded: Tensor, batch: Points, k: int) -> Tensor:
        return best_of(self._score_blocks(encoded, batch), k)[0]

    def _score_blocks(self, encoded: Tensor, batch: Points) -> Any:
        queries = self.scale * self.outputs(encoded, batch)
        return circulant_scores(queries, self.labels.spectra, self.labels.n_labels, self.bias)


class _SoftplusOfAll(torch.autograd.Function):
    """Σ log(1 + eᶻ), z = scale·⟨s, c⟩ + bias, over all points and labels, a block at a time.

    Forward makes the gradients too, since they need each block's scores: nothing as large as
    (points, labels) is ever held.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, scale: Tensor, bias: Tensor, spectra: Tensor) -> Tensor:
        d = s.shape[-1]
        n_bases = len(spectra)
        # Rolls of the last base that are no label: e⁻∞ adds nothing, and gets no gradient.
        padded = F.pad(bias, (0, n_bases * d - len(bias)), value=-torch.inf).view(n_bases, d)
        wanted = rfft(s)[:, None]  # (B, 1, d/2 + 1)
        back, grad_scale, grad_bias = torch.zeros_like(wanted[:, 0]), 0.0, []
        total = s.new_zeros(())
        size = max(1, BLOCK // s.numel())
        for start in range(0, n_bases, size):
            block = spectra[start : start + size]
            cosines = irfft(wanted * block.conj(), n=d)  # (B, bases, d)
            z = torch.addcmul(padded[start : start + size], cosines, scale)
            total += F.softplus(z).sum()
            share = z.sigmoid_()
            grad_bias.append(share.sum(0).flatten())
            grad_scale = grad_scale + (share * cosines).sum()
            back += (rfft(share) * block).sum(1)
        ctx.save_for_backward(
            irfft(back, n=d) * scale, grad_scale, torch.cat(grad_bias)[: len(bias)]
        )
        return total

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        return *(outer * gradient for gradient in ctx.saved_tensors), None
