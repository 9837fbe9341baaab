"""A head with d' ≪ L outputs, trained with the exact loss over all L labels.

Circulant codes give the scores of all labels in O(L log d'). So the loss can be the baseline's
cross-entropy over all labels, which the paper avoids. A label's logit is scale·⟨ŝ, c⟩ + bias.
There is no binding: binding with p would apply the same rotation to ŝ and all c, and the output
layer can learn this rotation.
"""

from collections.abc import Mapping
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.fft import irfft, rfft

from hrrxml.codebook.circulant import Codebook
from hrrxml.config.section import Count, Dimension
from hrrxml.data.points import Points
from hrrxml.heads import base
from hrrxml.heads.base import log_odds
from hrrxml.layers.output import Output
from hrrxml.search import sharding
from hrrxml.search.exact import by_base, circulant_part, circulant_scores, correlations
from hrrxml.search.scratch import Scratch
from hrrxml.search.sharding import labels_of_this_process
from hrrxml.training import distributed

softplus: Any = torch.ops.aten.softplus.out  # torch.nn.functional.softplus has no `out`


class ExactSettings(base.LogisticSettings):
    dim: Dimension
    bases_per_step: Count | None = None  # whose labels a step's loss sees; None: all
    learn_scale: bool = True  # false: logits are ⟨ŝ, c⟩ + bias


class ExactHead(base.Head):
    adjustment: Tensor

    @staticmethod
    def tables(
        settings: ExactSettings, train: Points, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """The codebook's `bases`, and each label's log-odds, `prior`."""
        tables = Codebook.tables(train.n_labels, settings.dim, unitary=True, generator=generator)
        return tables | {"prior": log_odds(train)}

    def __init__(
        self, settings: ExactSettings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.output = Output(width, settings.dim, n_features, settings.shortcut is not None)
        self.labels = Codebook(tables)
        self.scale = nn.Parameter(torch.ones(()), requires_grad=settings.learn_scale)
        self.bias = nn.Parameter(tables["prior"].clone())
        self.bases_per_step = settings.bases_per_step
        self.register_buffer("adjustment", settings.tail * tables["prior"], persistent=False)

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        """Binary cross-entropy, summed over all labels, averaged over points.

        With `bases_per_step`, a training step looks at the labels of some bases, drawn anew each
        time, and counts them for all. Its expectation is the exact loss, and so is its gradient's.
        """
        s = self.outputs(encoded, batch)  # (B, d')
        softplus_sum = self._softplus_of_all(s, batch.weights)
        return (softplus_sum - self._present(s, batch)) / distributed.count(len(s))

    def _present(self, s: Tensor, batch: Points) -> Tensor:
        """Σ z over the present labels, where a label's loss is softplus(z) − z.

        It is linear in Σ c, the bundle.
        """
        labels, bundle = batch.labels, self.labels.bundle(batch.labels)
        biases = self.bias[labels.ids]
        if batch.weights is not None:
            bundle = bundle * batch.weights[:, None]
            biases = biases * batch.weights[labels.rows]
        return self.scale * (s * bundle).sum() + biases.sum()

    def _softplus_of_all(self, s: Tensor, weights: Tensor | None) -> Tensor:
        """Σ softplus(z) over all labels and these points.

        With several processes: over this process's labels and all processes' points.
        """
        spectra, bias = self.labels.spectra, cast(Tensor, self.bias)
        if distributed.processes() > 1:
            s, d = distributed.gather(s), s.shape[-1]
            weights = None if weights is None else distributed.gather(weights)
            labels = labels_of_this_process(len(bias), unit=d)
            if labels.start == labels.stop:
                return s.sum() * 0  # zero, with a gradient: the other processes wait for it
            bias, spectra = bias[labels], spectra[labels.start // d : -(-labels.stop // d)]
        sampled = self.bases_per_step if self.training else None
        if sampled is None or sampled >= len(spectra):
            softplus_sum: Tensor = SoftplusOfAll.apply(s, self.scale, bias, spectra, weights)
            return softplus_sum
        times = len(spectra) / sampled
        bias, spectra = _some(bias, spectra, sampled, s.shape[-1])
        return times * cast(Tensor, SoftplusOfAll.apply(s, self.scale, bias, spectra, weights))

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        blocks = circulant_scores(*self._search(encoded, batch))
        return torch.cat([block.clone() for block in blocks], dim=1)

    def top_k(
        self, encoded: Tensor, batch: Points, k: int, among: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        queries, spectra, n_labels, bias = self._search(encoded, batch)
        if among is not None:
            bias = bias.masked_fill(~among, -torch.inf)
        d = queries.shape[-1]

        def search(queries: Tensor, k: int, labels: slice) -> tuple[Tensor, Tensor]:
            return circulant_part(queries, spectra, labels, k, bias)

        return sharding.top_k(queries, k, n_labels, search, unit=d)

    def _search(self, encoded: Tensor, batch: Points) -> tuple[Tensor, Tensor, int, Tensor]:
        """Queries (B, d'), the spectra of the bases, the number of labels, and their biases."""
        queries = self.scale * self.outputs(encoded, batch)
        return queries, self.labels.spectra, self.labels.n_labels, self.bias - self.adjustment


def _some(bias: Tensor, spectra: Tensor, n: int, d: int) -> tuple[Tensor, Tensor]:
    """The biases of the labels of n random bases, and the bases' spectra."""
    chosen = torch.randperm(len(spectra))[:n].sort().values.to(bias.device)
    biases = by_base(bias, d)[chosen].flatten()
    if int(chosen[-1]) == len(spectra) - 1:  # the last base may have fewer labels
        biases = biases[: len(biases) - -len(bias) % d]
    return biases, spectra[chosen]


class SoftplusOfAll(torch.autograd.Function):
    """Σ log(1 + eᶻ), z = scale·⟨s, c⟩ + bias, over all points and labels, a block at a time.

    `weights` (points,) multiplies the terms of each point, if it is given. `forward` also computes
    the gradients, because they need each block's scores. So no tensor of size (points, labels) is
    ever stored.
    """

    @staticmethod
    def forward(
        ctx: Any,
        s: Tensor,
        scale: Tensor,
        bias: Tensor,
        spectra: Tensor,
        weights: Tensor | None = None,
    ) -> Tensor:
        d = s.shape[-1]
        biases = by_base(bias, d)
        back = spectra.new_zeros(len(s), spectra.shape[1])  # Σ share·c, as a spectrum
        grad_bias, total = torch.empty_like(biases), s.new_zeros(())
        terms = Scratch(s.dtype, s.device)
        for start, z, spectrum in correlations(scale * s, spectra, len(bias)):
            # A roll of the last base that is no label has z = −∞: it adds 0, with gradient 0.
            bases = slice(start, start + z.shape[1])
            z += biases[bases]
            term = softplus(z, out=terms.shaped(*z.shape))
            share = z.sigmoid_()
            if weights is not None:
                term *= weights[:, None, None]
                share *= weights[:, None, None]
            total += term.sum()
            torch.sum(share, 0, out=grad_bias[bases])
            back += rfft(share, out=spectrum).mul_(spectra[bases]).sum(1)
        towards = irfft(back, n=d)  # Σ share·c over all labels: (B, d')
        ctx.save_for_backward(
            towards * scale, (towards * s).sum(), grad_bias.flatten()[: len(bias)]
        )
        return total

    @staticmethod
    def backward(ctx: Any, outer: Tensor) -> tuple[Tensor | None, ...]:
        return *(outer * gradient for gradient in ctx.saved_tensors), None, None
