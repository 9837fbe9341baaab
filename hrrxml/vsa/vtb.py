"""VTB, vector-derived transformation binding: a symbol as a matrix that moves another.

A vector of d = s² numbers is read as an s × s matrix. Binding is bilinear, but neither
commutative nor associative, and has its identity and its inverse on the right only.
"""

import math

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
    """n vectors of N(0, 1/d)."""
    _side(d)
    check_size(n, d)
    return torch.randn(n, d, generator=generator, dtype=dtype, device=device) / math.sqrt(d)


def orthogonal(
    n: int,
    d: int,
    *,
    generator: torch.Generator | None = None,
    dtype: torch.dtype | None = None,
    device: torch.device | None = None,
) -> Tensor:
    """n vectors whose matrices are orthogonal up to scale: binding with them keeps norms."""
    s = _side(d)
    matrices = random(n, d, generator=generator, dtype=dtype, device=device).view(n, s, s)
    q, r = torch.linalg.qr(matrices)
    # The sign of R's diagonal makes the draw uniform over the orthogonal matrices.
    q = q * r.diagonal(dim1=-2, dim2=-1).sign().unsqueeze(-2)
    return q.reshape(n, d) / math.sqrt(s)


def identity(
    d: int, *, dtype: torch.dtype | None = None, device: torch.device | None = None
) -> Tensor:
    """bind(x, identity(d)) = x."""
    s = _side(d)
    check_size(1, d)
    return torch.eye(s, dtype=dtype, device=device).flatten() / math.sqrt(s)


def bind(x: Tensor, y: Tensor) -> Tensor:
    """√s · X Yᵀ."""
    check_vectors(x, y)
    s = _side(x.shape[-1])
    return math.sqrt(s) * (_matrix(x) @ _matrix(y).mT).flatten(-2)


def inverse(x: Tensor) -> Tensor:
    """The transpose: exact, on the right, when √s · X is orthogonal."""
    check_vectors(x)
    _side(x.shape[-1])
    return _matrix(x).mT.flatten(-2)


def unbind(s: Tensor, y: Tensor) -> Tensor:
    """What was bound to y, as bind(x, y), in s."""
    return bind(s, inverse(y))


def bundle(xs: Tensor) -> Tensor:
    """The sum over the last dimension but one."""
    check_set(xs)
    return xs.sum(-2)


def _matrix(x: Tensor) -> Tensor:
    s = math.isqrt(x.shape[-1])
    return x.unflatten(-1, (s, s))


def _side(d: int) -> int:
    s = math.isqrt(max(d, 0))
    if s * s != d:
        raise ValueError(f"d = {d}: VTB reads a vector as a square matrix, so d must be a square")
    return s
