"""Checks of arguments: a wrong one gets an error that names it."""

from collections.abc import Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any

import numpy as np
import torch
from scipy.sparse import issparse
from torch import Tensor

from hrrxml.runtime.errors import InputError


def whole(name: str, value: Any, least: int) -> int:
    """A whole number, of Python's or numpy's, as Python's own."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise InputError(f"{name} is {value!r}; it must be a whole number from {least} up")
    return int(value)


def number(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise InputError(f"{name} is {value!r}; it must be a number")
    return float(value)


def listed(name: str, values: Any) -> Any:
    """One value per point, in an order, to be read more than once.

    Lists, arrays and tables stay as they are; a generator becomes a list.
    """
    if issparse(values):
        return values
    if isinstance(values, str | bytes | Mapping | Set):
        raise InputError(f"{name} is one {type(values).__name__}; give a list, a value per point")
    if isinstance(values, list | tuple) or not isinstance(values, Iterable):
        return values
    is_array = hasattr(values, "shape") or hasattr(values, "__array__")
    return values if is_array else list(values)


def labels(name: str, values: Any) -> list[Any]:
    """Labels in a list; one string is a mistake, because its letters would be the labels."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {values!r}; give a list of labels")
    return values.tolist() if isinstance(values, np.ndarray) else list(values)


def weights(sample_weight: Any, n_points: int) -> Tensor | None:
    """The weight of each point: (points,); None stays None."""
    if sample_weight is None:
        return None
    values = np.asarray(sample_weight, dtype=np.float32)
    if values.ndim == 0:
        values = np.full(n_points, values)
    if values.shape != (n_points,):
        raise InputError(f"sample_weight has the shape {values.shape} for {n_points} points")
    if not np.isfinite(values).all() or (values < 0).any():
        raise InputError("sample_weight must have finite numbers from 0 up")
    if not values.any():
        raise InputError("sample_weight: all weights are zero; leave some points to learn from")
    return torch.tensor(values)
