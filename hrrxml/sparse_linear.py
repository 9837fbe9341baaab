"""A linear layer for sparse rows, whose gradient has only the rows of features that occur."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.scratch import Scratch

ROWS = 512  # of a gradient, made at once: memory of that size is at hand, of all rows is not


class SparseLinear(nn.Module):
    """(batch, n_features) sparse rows times a (n_features, width) weight, without a bias."""

    def __init__(self, n_features: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_features, width))
        self.scratch: Scratch | None = None

    def forward(self, bags: Bags) -> Tensor:
        weights = torch.ones_like(bags.ids, dtype=self.weight.dtype)
        if bags.weights is not None:
            weights = bags.weights.to(self.weight.dtype)
        product: Tensor = _Product.apply(self.weight, bags.ids, bags.offsets, weights, self)
        return product

    def memory(self, rows: int) -> Tensor:
        """For a gradient of so many rows: the last one's, if that was dropped (`zero_grad`)."""
        weight = self.weight
        known = self.scratch is not None and self.scratch.memory.device == weight.device
        if weight.grad is not None or not known:
            self.scratch = Scratch(weight.dtype, weight.device)
        assert self.scratch is not None
        return self.scratch.shaped(rows, weight.shape[1])


class _Product(torch.autograd.Function):
    """As nn.EmbeddingBag, whose gradient has a row for every occurrence of a feature instead.

    Xᵀ·gradient is itself a sum over bags, one for each distinct feature of the batch: of the
    points it occurs in.
    """

    @staticmethod
    def forward(
        ctx: Any, weight: Tensor, ids: Tensor, offsets: Tensor, weights: Tensor, layer: SparseLinear
    ) -> Tensor:
        ctx.save_for_backward(ids, offsets, weights)
        ctx.layer = layer
        return F.embedding_bag(ids, weight, offsets[:-1], mode="sum", per_sample_weights=weights)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        ids, offsets, weights = ctx.saved_tensors
        points = torch.repeat_interleave(
            torch.arange(len(gradient), device=ids.device), offsets.diff()
        )
        ids, order = ids.sort(stable=True)
        features, counts = ids.unique_consecutive(return_counts=True)
        values = ctx.layer.memory(len(features))
        _sum_bags(gradient, points[order], weights[order], counts, out=values)
        rows = torch.sparse_coo_tensor(
            features[None],
            values,
            ctx.layer.weight.shape,
            is_coalesced=True,
            check_invariants=False,
        )
        return rows, None, None, None, None


def _sum_bags(table: Tensor, ids: Tensor, weights: Tensor, counts: Tensor, out: Tensor) -> None:
    """Weighted sums of the table's rows, `counts` ids after another, a few sums at a time."""
    ends = counts.cumsum(0)
    starts = ends - counts
    for start in range(0, len(counts), ROWS):
        some = slice(start, start + ROWS)
        first, last = int(starts[start]), int(ends[some][-1])
        out[some] = F.embedding_bag(
            ids[first:last],
            table,
            starts[some] - first,
            mode="sum",
            per_sample_weights=weights[first:last],
        )
