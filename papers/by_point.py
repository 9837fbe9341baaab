"""What a benchmark kept of every test point, and each point's share of a metric.

    papers/records/by_point/rivals/bibtex.npz

A file for each dataset has one array for each method, (seeds, points, 5): for each of the first
five predictions, how frequent the label is among the points to learn from, plus 1, or 0 where it is
wrong. benchmarks/judged.py makes them, and `truth.labels` and `truth.rarest` about the test points'
own labels.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from hrrxml.evaluation.metrics import inverse_propensity
from hrrxml.runtime.files import replacing
from papers import records

Arrays = Mapping[str, np.ndarray]  # by method


def path(benchmark: str, dataset: str) -> Path:
    return records.FOLDER / "by_point" / benchmark / f"{dataset}.npz"


def write(benchmark: str, arrays: Arrays) -> None:
    """A file for each dataset; names are `dataset/method`. No file if there is nothing to keep."""
    datasets: dict[str, dict[str, np.ndarray]] = {}
    for name, array in arrays.items():
        dataset, method = name.split("/")
        datasets.setdefault(dataset, {})[method] = array
    for dataset, own in datasets.items():
        with replacing(path(benchmark, dataset)) as temporary, temporary.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **own)


def read_all() -> dict[str, dict[str, dict[str, np.ndarray]]]:
    """benchmark → dataset → method → array"""
    arrays: dict[str, dict[str, dict[str, np.ndarray]]] = {}
    for file in sorted((records.FOLDER / "by_point").glob("*/*.npz")):
        with np.load(file, allow_pickle=False) as members:
            arrays.setdefault(file.parent.name, {})[file.stem] = dict(members)
    return arrays


@dataclass(frozen=True)
class Truth:
    """The test points' own labels, and how rare labels count in propensity-scored metrics."""

    labels: np.ndarray  # how many each point has: (points,)
    rarest: np.ndarray  # 1 + how frequent the five rarest are, 0 where there are fewer: (points, 5)
    n_points: int  # points to learn from
    a: float
    b: float

    def weights(self, frequencies: np.ndarray) -> np.ndarray:
        """Inverse propensities, from 1 + how frequent labels are; 0 where there is none."""
        known = np.maximum(frequencies.astype(np.int64) - 1, 0)
        return np.where(
            frequencies > 0, inverse_propensity(known, self.n_points, self.a, self.b), 0.0
        )

    def share(self, found: np.ndarray, metric: str) -> np.ndarray:
        """Each point's share of a metric in percent; its mean over points is the metric.

        `found` is (seeds, points, 5) and the shares are (seeds, points). PSP@k divides by the mean
        of the best possible gains, which is the same for all methods.
        """
        name, k = metric.split("@")
        first = found[..., : int(k)]
        if name == "P":
            return 100 * (first > 0).mean(-1)
        if name == "PSP":
            best = self.weights(self.rarest[:, : int(k)]).sum(-1).mean()
            return 100 * self.weights(first).sum(-1) / best
        discounts = self._discounts[: int(k)]
        return 100 * ((first > 0) * discounts).sum(-1) / self._ideal[:, int(k) - 1]

    @cached_property
    def _discounts(self) -> np.ndarray:
        return 1 / np.log2(np.arange(2, 7))

    @cached_property
    def _ideal(self) -> np.ndarray:
        """DCG of a perfect ranking at 1…5: (points, 5); 1 for a point without labels."""
        possible = self.labels[:, None] > np.arange(5)
        ideal = (possible * self._discounts).cumsum(1)
        return np.where(ideal > 0, ideal, 1.0)
