"""Points in a published dataset's shape: Poisson counts, uniform ids, random weights."""

import numpy as np
import torch

from benchmarks.shapes import Shape
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points

SEED = 0


def make_points(shape: Shape, count: int) -> Points:
    rng = np.random.default_rng(SEED)
    features = _draw(rng, count, shape.features, shape.features_per_point)
    weights = torch.from_numpy(rng.random(len(features.ids), dtype=np.float32))
    return Points(
        features=Bags(features.ids, features.offsets, weights),
        tokens=None,
        labels=_draw(rng, count, shape.labels, shape.labels_per_point),
        n_features=shape.features,
        n_tokens=0,
        n_labels=shape.labels,
    )


def make_batches(shape: Shape, count: int) -> list[Points]:
    points = make_points(shape, count * shape.batch)
    return [points.select(rows) for rows in torch.arange(len(points)).split(shape.batch)]


def _draw(rng: np.random.Generator, count: int, size: int, mean: float) -> Bags:
    lengths = np.minimum(size, 1 + rng.poisson(mean - 1, count))
    lists = [np.sort(rng.choice(size, n, replace=False, shuffle=False)) for n in lengths]
    return Bags.from_lists([row.tolist() for row in lists])
