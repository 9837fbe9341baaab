"""Which predictions of a recorded run are correct, seed by seed and test point by test point.

    papers/records/outcomes/bibtex-fc.npz

A compressed file beside the run's record, because a comparison of two models needs more than their
means (papers/significance.py).
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from hrrxml.evaluation.outcomes import K, precision
from hrrxml.runtime.files import replacing
from papers.records import FOLDER

Outcomes = Mapping[str, np.ndarray]  # `hits` and `first_gain`, (seeds, points) each


def path(run: str) -> Path:
    return FOLDER / "outcomes" / f"{run}.npz"


def write(run: str, outcomes: Outcomes) -> None:
    """NumPy dates every member 1980, so equal outcomes are equal files."""
    path(run).parent.mkdir(exist_ok=True)
    with replacing(path(run)) as temporary, temporary.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **outcomes)


def read(run: str) -> Outcomes | None:
    """None if the run was recorded without them."""
    if not path(run).exists():
        return None
    with np.load(path(run), allow_pickle=False) as members:
        return dict(members)


def by_point(outcomes: Outcomes, metric: str, value: float) -> np.ndarray | None:
    """Each point's share of a metric, so that their mean is the metric: (seeds, points).

    None for a metric that the outcomes do not hold: they hold P@k and PSP@1. PSP@1 is the points'
    gains over the best possible gains, whose mean follows from `value`, the first seed's PSP@1.
    """
    name, k = metric.split("@")
    if name == "P" and int(k) <= K:
        return precision(outcomes["hits"], int(k))
    if metric == "PSP@1":
        gains = outcomes["first_gain"].astype(np.float64)
        return gains * (value / gains[0].mean()) if gains[0].any() else None
    return None
