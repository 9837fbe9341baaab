"""The results of every run in params.yaml, read from results/ and summarised."""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from hrrxml import paths
from hrrxml.errors import UserError
from hrrxml.files import read_csv
from hrrxml.schema import Run

HEADLINES = ("P@1", "P@5", "PSP@1")
Summary = dict[str, dict[str, dict[str, dict[str, float]]]]


@dataclass(frozen=True)
class Cell:
    """One run's outcome."""

    dataset: str
    model: str
    metrics: dict[str, list[float]]  # of each seed
    ensemble: dict[str, list[float]] | None  # of every three models together
    parameters: dict[str, int]
    settings: dict[str, dict[str, Any]]  # `train`, its encoder's and its head's
    curve: pd.DataFrame  # of all seeds

    @property
    def name(self) -> str:
        """Of the run."""
        return f"{self.dataset}-{self.model}"

    @property
    def seeds(self) -> int:
        return len(self.metrics["P@1"])

    def mean(self, metric: str) -> float:
        return statistics.mean(self.metrics[metric])


@dataclass(frozen=True)
class Followed:
    """Training and test accuracy of a run, by epoch."""

    dataset: str
    model: str
    curve: pd.DataFrame  # of all seeds

    @property
    def name(self) -> str:
        return f"{self.dataset}-{self.model}"

    def last(self, split: str) -> list[float]:
        """P@1 on a split after the last epoch, of each seed."""
        end = self.curve[self.curve["epoch"] == self.curve["epoch"].max()]
        return [float(p1) for p1 in end[split]]

    @property
    def gaps(self) -> list[float]:
        """Between training and test points, of each seed."""
        return [a - b for a, b in zip(self.last("train"), self.last("test"), strict=True)]


def read(runs: Mapping[str, Run]) -> list[Cell]:
    """The runs that params.yaml names, never whatever else lies in results/."""
    return [_read_cell(name, run) for name, run in runs.items()]


def read_done(runs: Mapping[str, Run]) -> list[Cell]:
    """Those that have been evaluated."""
    return read({name: run for name, run in runs.items() if paths.metrics(name).exists()})


def read_outcome(name: str) -> dict[str, Any]:
    """What the stage `evaluate` wrote."""
    if not paths.metrics(name).exists():
        raise UserError(f"{paths.metrics(name)}: missing; `dvc repro evaluate@{name}` makes it")
    outcome: dict[str, Any] = json.loads(paths.metrics(name).read_text())
    return outcome


def _read_cell(name: str, run: Run) -> Cell:
    outcome = read_outcome(name)
    return Cell(
        dataset=run.dataset,
        model=_model(name, run),
        metrics=outcome["metrics"],
        ensemble=outcome.get("ensemble"),
        parameters=outcome["parameters"],
        settings=outcome["settings"],
        curve=read_csv(paths.curve(name)),
    )


def _model(name: str, run: Run) -> str:
    return name.removeprefix(f"{run.dataset}-")


def read_followed(runs: Mapping[str, Run]) -> list[Followed]:
    """Those that the stage `overfitting` has followed."""
    done = {name: run for name, run in runs.items() if paths.overfitting(name).exists()}
    return [
        Followed(run.dataset, _model(name, run), read_csv(paths.overfitting(name)))
        for name, run in done.items()
    ]


def read_datasets(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The statistics of those registered datasets that have been prepared."""
    return _read_existing({name: paths.statistics(name) for name in names})


def _read_existing(files: Mapping[str, Path]) -> dict[str, dict[str, Any]]:
    return {name: json.loads(path.read_text()) for name, path in files.items() if path.exists()}


def read_peers(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """dataset → peer → `metrics` and `seconds`, one value per seed, where they were run."""
    return _read_existing({name: paths.peers(name) for name in names})


def guessing(counted: Mapping[str, Any]) -> float:
    """P@1 of always naming the commonest label: in percent, how many training points have it."""
    return 100 * float(counted["commonest_labels"][0][1]) / float(counted["points"][0])


def summarise(cells: Iterable[Cell]) -> Summary:
    """dataset → model → metric → mean, standard deviation and number of seeds."""
    summary: Summary = {}
    for cell in cells:
        summary.setdefault(cell.dataset, {})[cell.model] = {
            metric: over_seeds(values) for metric, values in cell.metrics.items()
        }
    return summary


def headlines(cells: Iterable[Cell]) -> dict[str, dict[str, float]]:
    """run → the means that an experiment is judged by: few, to stay readable side by side."""
    return {cell.name: {m: round(cell.mean(m), 2) for m in HEADLINES} for cell in cells}


def over_seeds(values: list[float]) -> dict[str, float]:
    """Mean, sample standard deviation (0 for a single seed) and how many there were."""
    mean = round(statistics.mean(values), 2)
    std = round(statistics.stdev(values), 2) if len(values) > 1 else 0.0
    return {"mean": mean, "std": std, "n": len(values)}


def with_deviation(values: list[float]) -> str:
    """Mean ± standard deviation over seeds; of a single seed, its value."""
    found = over_seeds(values)
    return f"{found['mean']:.2f}" + (f" ± {found['std']:.2f}" if len(values) > 1 else "")


def measured(values: list[float]) -> str:
    """The same, and of how many seeds."""
    return f"{with_deviation(values)} ({len(values)})"


def by_dataset(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    grouped: dict[str, list[Cell]] = {}
    for cell in cells:
        grouped.setdefault(cell.dataset, []).append(cell)
    return grouped
