"""A linear layer for sparse inputs."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags


class SparseLinear(nn.Module):
    """(batch, n_features) sparse rows times a (n_features, width) weight, without a bias.

    The gradient has rows for the features of the batch alone, or for all features if
    `sparse_gradient` is false.
    """

    def __init__(self, n_features: int, width: int, *, sparse_gradient: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(n_features, width))
        self.sparse_gradient = sparse_gradient

    def forward(self, bags: Bags) -> Tensor:
        weights = torch.ones_like(bags.ids, dtype=self.weight.dtype)
        if bags.weights is not None:
            weights = bags.weights.to(self.weight.dtype)
        product: Tensor = _Product.apply(
            self.weight, bags.ids, bags.offsets, weights, self.sparse_gradient
        )
        return product


class _Product(torch.autograd.Function):
    """X·weight, with a sparse gradient Xᵀ·gradient that has one row per distinct feature.

    (nn.EmbeddingBag's gradient has a row for every occurrence of a feature.) Xᵀ·gradient is also a
    sum over bags: a feature's bag holds the points that have this feature.
    """

    @staticmethod
    def forward(
        ctx: Any, weight: Tensor, ids: Tensor, offsets: Tensor, weights: Tensor, sparse: bool
    ) -> Tensor:
        ctx.save_for_backward(ids, offsets, weights)
        ctx.shape, ctx.sparse = weight.shape, sparse
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
        return rows if ctx.sparse else rows.to_dense(), None, None, None, None
