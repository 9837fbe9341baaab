"""A head with d' ≪ L outputs that is trained on every label, exactly.

Circulant codes give the scores of all labels in O(L log d'). So the loss can be the baseline's
cross-entropy over all labels, which the paper avoids. A label's logit is scale·⟨ŝ, c⟩ + bias.
Nothing is bound: binding by p would rotate ŝ and all c alike, and the layer that makes ŝ can learn
that rotation itself.
"""

from collections.abc import Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.fft import irfft, rfft

from hrrxml.codebook.circulant import Codebook
from hrrxml.config.section import Dimension
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import log_odds
from hrrxml.layers.output import Output
from hrrxml.search import sharding
from hrrxml.search.exact import by_base, circulant_part, circulant_scores, correlations
from hrrxml.search.scratch import Scratch
from hrrxml.search.sharding import labels_of_this_process
from hrrxml.training import distributed

softplus: Any = torch.ops.aten.softplus.out  # torch.nn.functional.softplus takes no `out`


class ExactSettings(base.LogisticSettings):
    dim: Dimension


class ExactHead(base.Head):
    adjustment: Tensor

    @staticmethod
    def tables(
        settings: ExactSettings, train: Points, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """The codebook's `bases`, and each label's `prior` log-odds."""
        tables = Codebook.tables(train.n_labels, settings.dim, unitary=True, generator=generator)
        return tables | {"prior": log_odds(train)}

    def __init__(
        self, settings: ExactSettings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.output = Output(width, settings.dim, n_features, settings.shortcut is not None)
        self.labels = Codebook(tables)
        self.scale = nn.Parameter(torch.ones(()))
        self.bias = nn.Parameter(tables["prior"].clone())
        self.register_buffer("adjustment", settings.tail * tables["prior"], persistent=False)

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """Binary cross-entropy, summed over all labels, averaged over points."""
        s = self.outputs(encoded, batch)  # (B, d')
        labels = batch.labels
        everything = self._softplus_of_all(s)
        # Of a label that is present, softplus(z) − z is due: z is linear in Σ c.
        z = self.scale * (s * self.labels.bundle(labels)).sum() + self.bias[labels.ids].sum()
        return (everything - z) / distributed.count(len(s))

    def _softplus_of_all(self, s: Tensor) -> Tensor:
        """Over all labels and these points; with several processes, all points and own labels."""
        spectra, bias = self.labels.spectra, cast(Tensor, self.bias)
        if distributed.processes() > 1:
            s, d = distributed.gather(s), s.shape[-1]
            labels = labels_of_this_process(len(bias), unit=d)
            if labels.start == labels.stop:
                return s.sum() * 0  # nothing to add, but the others wait for its gradient
            bias, spectra = bias[labels], spectra[labels.start // d : -(-labels.stop // d)]
        everything: Tensor = SoftplusOfAll.apply(s, self.scale, bias, spectra)
        return everything

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        blocks = circulant_scores(*self._search(encoded, batch))
        return torch.cat([block.clone() for block in blocks], dim=1)

    def top_k(self, encoded: Tensor, batch: Points, k: int) -> Tensor:
        queries, spectra, n_labels, bias = self._search(encoded, batch)
        d = queries.shape[-1]

        def search(queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
            return circulant_part(queries, spectra, labels, k, bias)

        return sharding.top_k(queries, k, n_labels, search, unit=d)[0]

    def _search(self, encoded: Tensor, batch: Points) -> tuple[Tensor, Tensor, int, Tensor]:
        """Queries, the bases' spectra, how many labels there are, and their biases."""
        queries = self.scale * self.outputs(encoded, batch)
        return queries, self.labels.spectra, self.labels.n_labels, self.bias - self.adjustment


class SoftplusOfAll(torch.autograd.Function):
    """Σ log(1 + eᶻ), z = scale·⟨s, c⟩ + bias, over all points and labels, a block at a time.

    Forward makes the gradients too, since they need each block's scores: nothing as large as
    (points, labels) is ever held.
    """

    @staticmethod
    def forward(ctx: Any, s: Tensor, scale: Tensor, bias: Tensor, spectra: Tensor) -> Tensor:
        d = s.shape[-1]
        biases = by_base(bias, d)
        back = spectra.new_zeros(len(s), spectra.shape[1])  # Σ share·c, as a spectrum
        grad_bias, total = torch.empty_like(biases), s.new_zeros(())
        terms = Scratch(s.dtype, s.device)
        for start, z, spectrum in correlations(scale * s, spectra, len(bias)):
            # Where a roll of the last base is no label, e⁻∞ adds nothing and gets no gradient.
            bases = slice(start, start + z.shape[1])
            z += biases[bases]
            total += softplus(z, out=terms.shaped(*z.shape)).sum()
            share = z.sigmoid_()
            torch.sum(share, 0, out=grad_bias[bases])
            back += rfft(share, out=spectrum).mul_(spectra[bases]).sum(1)
        towards = irfft(back, n=d)  # Σ share·c over all labels: (B, d')
        ctx.save_for_backward(
            towards * scale, (towards * s).sum(), grad_bias.flatten()[: len(bias)]
        )
        return total

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        return *(outer * gradient for gradient in ctx.saved_tensors), None
