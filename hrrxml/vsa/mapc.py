"""MAP-C, continuous multiply-add-permute: the elementwise product binds symbols.

Binding is commutative, associative and its own approximate inverse. Bundles are clipped to
[−1, 1], the range of the symbols.
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
    """n vectors from U(−1, 1)."""
    check_size(n, d)
    return torch.rand(n, d, generator=generator, dtype=dtype, device=device) * 2 - 1


def response(d: int) -> float:
    """The mean of ⟨x, unbind(bind(x, y), y)⟩: E[x²y²] = 1/9 in each of d places."""
    return d / 9


def identity(
    d: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None
) -> Tensor:
    check_size(1, d)
    return torch.ones(d, dtype=dtype, device=device)


def bind(x: Tensor, y: Tensor) -> Tensor:
    check_vectors(x, y)
    return x * y


def inverse(x: Tensor) -> Tensor:
    """x itself: an approximation, since x · x is positive but 1 only where x = ±1."""
    check_vectors(x)
    return x


def unbind(s: Tensor, y: Tensor) -> Tensor:
    return bind(s, inverse(y))


def bundle(xs: Tensor) -> Tensor:
    """The sum over dimension −2, clipped to [−1, 1]."""
    check_set(xs)
    return xs.sum(-2).clamp(-1, 1)
