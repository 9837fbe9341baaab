"""VTB, vector-derived transformation binding: one symbol is a matrix that transforms another.

A vector of d = s² numbers is read as an s × s matrix. Binding is bilinear, but not commutative
and not associative. Its identity and its inverse work only on the right.
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
    """n vectors from N(0, 1/d)."""
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
    """n vectors whose matrices are scaled orthogonal matrices, so binding keeps norms."""
    s = _side(d)
    matrices = random(n, d, generator=generator, dtype=dtype, device=device).view(n, s, s)
    q, r = torch.linalg.qr(matrices)
    # The signs of R's diagonal make q uniform over the orthogonal matrices.
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
    """The transpose. It is exact on the right if √s · X is orthogonal."""
    check_vectors(x)
    _side(x.shape[-1])
    return _matrix(x).mT.flatten(-2)


def unbind(s: Tensor, y: Tensor) -> Tensor:
    """The x of bind(x, y) in s, plus noise."""
    return bind(s, inverse(y))


def bundle(xs: Tensor) -> Tensor:
    """The sum over dimension −2."""
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
