"""Prepared data: points with features, tokens and labels."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors, write_tensors

SPLITS = ("train", "validation", "test")
BAGS = ("features", "tokens", "labels")
SIZES = ("n_features", "n_tokens", "n_labels")


@dataclass(frozen=True)
class Points:
    """Points of a dataset: a whole split, or a batch of it."""

    features: Bags  # weighted bag of words
    tokens: Bags | None  # word ids in reading order; None if the dataset has no texts
    labels: Bags
    n_features: int
    n_tokens: int
    n_labels: int
    weights: Tensor | None = None  # importance of each point in the loss: (points,)

    def __len__(self) -> int:
        return len(self.labels)

    def select(self, rows: Tensor) -> "Points":
        """The given points, in the given order."""
        return self._map(lambda bags: bags.select(rows), lambda weights: weights[rows])

    def to(self, device: torch.device) -> "Points":
        return self._map(lambda bags: bags.to(device), lambda weights: weights.to(device))

    def _map(
        self, convert: Callable[[Bags], Bags], convert_weights: Callable[[Tensor], Tensor]
    ) -> "Points":
        converted: dict[str, Any] = {name: convert(bags) for name, bags in self.bags().items()}
        if self.weights is not None:
            converted["weights"] = convert_weights(self.weights)
        return replace(self, **converted)

    def bags(self) -> dict[str, Bags]:
        """Features, tokens (if any) and labels, by name."""
        return {name: bags for name in BAGS if (bags := getattr(self, name)) is not None}


def save(points: Points, destination: Path) -> None:
    tensors = {name: torch.tensor(getattr(points, name)) for name in SIZES}
    for name, bags in points.bags().items():
        tensors |= {f"{name}.ids": bags.ids.int(), f"{name}.offsets": bags.offsets}
        if bags.weights is not None:
            tensors[f"{name}.weights"] = bags.weights
    write_tensors(destination, tensors)


def load(source: Path) -> Points:
    """Read a file that `save` wrote, and refuse invalid ids, weights and sizes."""
    tensors = read_tensors(source)
    try:
        parts: dict[str, Any] = {name: int(tensors[name]) for name in SIZES}
        for name in BAGS:
            if name == "tokens" and parts["n_tokens"] == 0:
                parts[name] = None
                continue
            ids, offsets = tensors[f"{name}.ids"], tensors[f"{name}.offsets"]
            parts[name] = Bags(ids, offsets, tensors.get(f"{name}.weights"))
    except KeyError as error:
        raise UserError(f"{source}: has no {error}; delete it and run `dvc repro`") from error
    points = Points(**parts)
    _check(points, source)
    return points


def _check(points: Points, source: Path) -> None:
    if len(points) == 0:
        raise UserError(f"{source}: the split has no points; give it a larger share")
    for name, bags in points.bags().items():
        size = getattr(points, f"n_{name}")
        if len(bags) != len(points):
            raise UserError(f"{source}: {len(bags)} rows of {name} for {len(points)} points")
        if len(bags.ids) and not 0 <= int(bags.ids.min()) <= int(bags.ids.max()) < size:
            raise UserError(f"{source}: {name} has an id outside 0…{size - 1}")
        if bags.weights is not None and not bool(bags.weights.isfinite().all()):
            raise UserError(f"{source}: {name} has a weight that is not a finite number")
