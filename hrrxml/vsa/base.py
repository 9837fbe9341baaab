"""Argument checks that all algebras share."""

import torch
from torch import Tensor


def check_size(n: int, d: int) -> None:
    if n < 1:
        raise ValueError(f"n = {n}: draw at least one vector")
    if d < 2:
        raise ValueError(f"d = {d}: a vector needs at least two dimensions to hold a symbol")


def check_vectors(*vectors: Tensor) -> None:
    """Vectors must be finite, broadcast, and have the same dtype and dimension d ≥ 2."""
    shapes = " and ".join(str(tuple(vector.shape)) for vector in vectors)
    for vector in vectors:
        if vector.dtype not in (torch.float32, torch.float64):
            raise ValueError(f"vectors of {vector.dtype} cannot be bound: use float32 or float64")
        if vector.dtype != vectors[0].dtype:
            raise ValueError(f"vectors of {vectors[0].dtype} and {vector.dtype} cannot be bound")
        if vector.ndim == 0 or vector.shape[-1] < 2:
            raise ValueError(f"a vector needs at least two dimensions: {shapes}")
        if not vector.isfinite().all():
            raise ValueError(f"a vector has a NaN or an infinite value: {shapes}")
    if len({vector.shape[-1] for vector in vectors}) > 1:
        raise ValueError(f"vectors differ in dimension: {shapes}")
    try:
        torch.broadcast_shapes(*(vector.shape for vector in vectors))
    except RuntimeError as error:
        raise ValueError(f"batch dimensions do not broadcast: {shapes}") from error


def check_set(xs: Tensor) -> None:
    check_vectors(xs)
    if xs.ndim < 2 or xs.shape[-2] < 1:
        raise ValueError(f"a bundle needs a set of vectors (…, n, d), not {tuple(xs.shape)}")
