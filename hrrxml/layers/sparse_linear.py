"""A linear layer for sparse inputs; its gradient has rows only for features of the batch."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags


class SparseLinear(nn.Module):
    """(batch, n_features) sparse rows times a (n_features, width) weight, without a bias."""

    def __init__(self, n_features: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_features, width))

    def forward(self, bags: Bags) -> Tensor:
        weights = torch.ones_like(bags.ids, dtype=self.weight.dtype)
        if bags.weights is not None:
            weights = bags.weights.to(self.weight.dtype)
        product: Tensor = _Product.apply(self.weight, bags.ids, bags.offsets, weights)
        return product


class _Product(torch.autograd.Function):
    """X·weight, with a sparse gradient Xᵀ·gradient that has one row per distinct feature.

    (nn.EmbeddingBag's gradient has a row for every occurrence of a feature.) Xᵀ·gradient is also a
    sum over bags: a feature's bag holds the points that have this feature.
    """

    @staticmethod
    def forward(ctx: Any, weight: Tensor, ids: Tensor, offsets: Tensor, weights: Tensor) -> Tensor:
        ctx.save_for_backward(ids, offsets, weights)
        ctx.shape = weight.shape
        return F.embedding_bag(ids, weight, offsets[:-1], mode="sum", per_sample_weights=weights)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor | None, ...]:
        ids, offsets, weights = ctx.saved_tensors
        points = torch.repeat_interleave(
            torch.arange(len(gradient), device=ids.device), offsets.diff()
        )
        ids, order = ids.sort(stable=True)
        features, counts = ids.unique_consecutive(return_counts=True)
        starts = counts.cumsum(0) - counts
        values = F.embedding_bag(
            points[order], gradient, starts, mode="sum", per_sample_weights=weights[order]
        )
        rows = torch.sparse_coo_tensor(
            features[None], values, ctx.shape, is_coalesced=True, check_invariants=False
        )
        return rows, None, None, None
