"""A linear layer for sparse rows, whose gradient has only the rows of features that occur."""

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
    """As nn.EmbeddingBag, whose gradient has a row for every occurrence of a feature instead.

    Xᵀ·gradient is itself a sum over bags, one for each distinct feature of the batch: of the
    points it occurs in.
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
