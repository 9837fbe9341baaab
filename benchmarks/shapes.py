"""The sizes of published datasets, and synthetic points of these sizes."""

from dataclasses import dataclass
from functools import cache

import numpy as np
import torch

from hrrxml.config import params
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from papers.published import PUBLISHED

SEED = 0


@dataclass(frozen=True)
class Shape:
    points: int  # in the training set
    features: int
    labels: int
    features_per_point: float
    labels_per_point: float
    words: int  # in a text, at most the 500 that the encoders read
    dim: int  # d' in the HRR paper
    batch: int  # batch size in the HRR paper


@cache
def shapes() -> dict[str, Shape]:
    """The datasets of Table 6, from params.yaml and papers/published.yaml."""
    return {name: _shape(name) for name in PUBLISHED["table6"]}


def _shape(name: str) -> Shape:
    dataset, printed = params.load().datasets[name], PUBLISHED["table6"][name]
    assert dataset.expect.points
    assert dataset.paper
    return Shape(
        points=dataset.expect.points[0],
        features=printed["features"],
        labels=printed["labels"],
        labels_per_point=printed["labels_per_point"],
        dim=dataset.paper.dim,
        batch=dataset.paper.batch_size,
        **PUBLISHED["shapes"][name],
    )


def make_batches(shape: Shape, count: int, vocabulary: int = 0) -> list[Points]:
    """Poisson counts, uniform ids, random weights; texts of equal length if words are wanted."""
    rng, n = np.random.default_rng(SEED), count * shape.batch
    features = _draw(rng, n, shape.features, shape.features_per_point)
    weights = torch.from_numpy(rng.random(len(features.ids), dtype=np.float32))
    labels, tokens = _draw(rng, n, shape.labels, shape.labels_per_point), None
    if vocabulary:
        tokens = Bags.from_lists(rng.integers(2, vocabulary, (n, shape.words)).tolist())
    points = Points(
        features=Bags(features.ids, features.offsets, weights),
        tokens=tokens,
        labels=labels,
        n_features=shape.features,
        n_tokens=vocabulary,
        n_labels=shape.labels,
    )
    return [points.select(rows) for rows in torch.arange(n).split(shape.batch)]


def _draw(rng: np.random.Generator, count: int, size: int, mean: float) -> Bags:
    lengths = np.minimum(size, 1 + rng.poisson(mean - 1, count))
    lists = [np.sort(rng.choice(size, n, replace=False, shuffle=False)) for n in lengths]
    return Bags.from_lists([row.tolist() for row in lists])
