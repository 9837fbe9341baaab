"""HolographicClassifier and the other tools on one dataset, as `recipe` and `rivals` measured them.

A contender is one model or several that rank together: Parabel and Bonsai have three trees. Ours is
given the texts (`texts`), or the features that the tools read (`features`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import count
from math import comb
from statistics import mean, pvariance, variance
from typing import Any

import numpy as np

from papers.by_point import Truth
from papers.evidence import Evidence
from papers.significance import Difference, Part, crossed

SIZE = 3  # models of an ensemble
NAMES = {
    "texts": "ours",
    "features": "ours, same features",
    "texts-3": "three of ours",
    "features-3": "three of ours, same features",
    "parabel-1": "Parabel, one tree",
    "plt": "PLT",
    "pecos": "XR-Linear",
    "br": "one-versus-all",
    "parabel": "Parabel",
    "bonsai": "Bonsai",
    "plt-3": "three PLTs",
}
SINGLE = ("parabel-1", "plt", "pecos", "br")
SEVERAL = ("parabel", "bonsai", "plt-3")
COSTS = ("train_seconds", "predict_seconds", "peak_mb", "bytes")


@dataclass(frozen=True)
class Contender:
    key: str
    metrics: Mapping[str, list[float]]  # one value per seed, or per choice of three seeds
    found: (
        np.ndarray
    )  # what it got right, (seeds, points, 5); of the first choice, if it is a choice
    measured: Mapping[str, Any]  # costs, one value per seed; and what ours chose

    @property
    def name(self) -> str:
        return NAMES[self.key]

    @property
    def is_ours(self) -> bool:
        return self.key.startswith(("texts", "features"))

    @property
    def is_choice(self) -> bool:
        """Whether its values are those of choices of three seeds, which share seeds."""
        return self.is_ours and self.key.endswith(f"-{SIZE}")

    def mean(self, metric: str) -> float:
        return mean(self.metrics[metric])

    def cost(self, name: str) -> float:
        """The mean over seeds; three of ours cost as much as three models."""
        values: list[float] = self.measured[name]
        if not self.is_choice:
            return mean(values)
        return max(values) if name == "peak_mb" else SIZE * mean(values)


@dataclass(frozen=True)
class Field:
    """All contenders on a dataset."""

    dataset: str
    about: Mapping[str, Any]  # what the benchmark says of the dataset
    truth: Truth
    contenders: Mapping[str, Contender]
    left_out: Mapping[str, str]  # tool → why

    @property
    def ours(self) -> str:
        """The key of ours as a user would call it: with texts, if there are any."""
        return "texts" if "texts" in self.contenders else "features"

    def best(self, keys: Iterable[str], metric: str) -> Contender | None:
        """Of the contenders with these keys, the one with the best mean."""
        here = [self.contenders[key] for key in keys if key in self.contenders]
        return max(here, key=lambda each: each.mean(metric), default=None)

    def difference(self, ours: Contender, theirs: Contender, metric: str) -> Difference:
        """How far ours lies above: paired over test points, and over seeds where there are some.

        A tool with fewer seeds is compared with each of its seeds in turn.
        """
        mine, other = (self.truth.share(each.found, metric) for each in (ours, theirs))
        turns = np.arange(max(len(mine), len(other)))
        gaps = mine[turns % len(mine)] - other[turns % len(other)]
        if not ours.is_choice:
            return crossed(gaps[: len(mine)])
        own, gap = ours.metrics[metric], ours.mean(metric) - theirs.mean(metric)
        by_point = gaps.mean(0)
        of_points = Part(float(by_point.var(ddof=1)) / len(by_point), len(by_point) - 1)
        of_seeds = _of_choices(own)
        parts = None if of_seeds is None else (of_seeds, of_points, *_of_seeds(theirs, metric))
        return Difference(gap, parts, len(own), points=len(by_point))


def _of_seeds(tool: Contender, metric: str) -> tuple[Part, ...]:
    """The part of the error that is due to a tool's seeds; nothing if it has one alone."""
    values = tool.metrics[metric]
    seeds = len(values)
    return (Part(variance(values) / seeds, seeds - 1),) if seeds > 1 else ()


def _of_choices(values: list[float]) -> Part | None:
    """The part of the error that is due to the seeds, from the values of all choices of three.

    A choice counts as the mean of its seeds' effects. Then over all choices from S seeds the
    variance is s²/3 · (1 − 3/S), and the mean of all choices has the error s²/S. None if there is
    one choice alone.
    """
    if len(values) == 1:
        return None
    seeds = next(n for n in count(SIZE) if comb(n, SIZE) == len(values))
    s2 = pvariance(values) * SIZE / (1 - SIZE / seeds)
    return Part(s2 / seeds, seeds - 1)


def fields(evidence: Evidence) -> list[Field]:
    """Every dataset on which ours and the tools were measured, on the same points."""
    rivals, recipe = (
        evidence.benchmarks.get(name, {}).get("datasets", {}) for name in ("rivals", "recipe")
    )
    return [
        _field(evidence, dataset, rivals[dataset], recipe[dataset])
        for dataset in rivals
        if dataset in recipe and rivals[dataset]["data"] == recipe[dataset]["data"]
    ]


def _field(
    evidence: Evidence, dataset: str, rivals: Mapping[str, Any], recipe: Mapping[str, Any]
) -> Field:
    theirs, ours = (evidence.by_point[name][dataset] for name in ("rivals", "recipe"))
    truth = Truth(
        labels=theirs["truth.labels"],
        rarest=theirs["truth.rarest"],
        n_points=rivals["sizes"]["points"],
        **rivals["propensity"],
    )
    found = {
        key: Contender(key, measured["metrics"], ours[key], measured)
        for key, measured in recipe["methods"].items()
    }
    found |= {
        f"{key}-{SIZE}": Contender(
            f"{key}-{SIZE}", measured["ensemble"], ours[f"{key}-{SIZE}"], measured
        )
        for key, measured in recipe["methods"].items()
        if "ensemble" in measured
    }
    found |= {
        key: Contender(key, measured["metrics"], theirs[key], measured)
        for key, measured in rivals["methods"].items()
    }
    in_order = {key: found[key] for key in NAMES if key in found}
    return Field(dataset, rivals, truth, in_order, rivals["left_out"])
