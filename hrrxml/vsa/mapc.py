"""MAP-C, continuous multiply-add-permute: symbols bound by the elementwise product.

Commutative, associative and its own approximate inverse. Bundles are clipped to the
range of the symbols, [−1, 1], which is what sets it apart from a plain sum.
"""

import torch
from torch import Tensor

from hrrxml.vsa.base import check_set, check_size, check_vectors


def random(
    n: int,
    d: int,
    *,
    generator: torch.Generator | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """n vectors of U(−1, 1)."""
    check_size(n, d)
    return torch.rand(n, d, generator=generator, dtype=dtype, device=device) * 2 - 1


def identity(
    d: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None
) -> Tensor:
    check_size(1, d)
    return torch.ones(d, dtype=dtype, device=device)


def bind(x: Tensor, y: Tensor) -> Tensor:
    check_vectors(x, y)
    return x * y


def inverse(x: Tensor) -> Tensor:
    """x itself: x · x is positive, though 1 only where x is ±1."""
    check_vectors(x)
    return x


def unbind(s: Tensor, y: Tensor) -> Tensor:
    return bind(s, inverse(y))


def bundle(xs: Tensor) -> Tensor:
    """The sum over the last dimension but one, clipped to [−1, 1]."""
    check_set(xs)
    return xs.sum(-2).clamp(-1, 1)
