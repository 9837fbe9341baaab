"""The results of every run in params.yaml, read from results/ and summarised."""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from hrrxml import paths
from hrrxml.errors import UserError
from hrrxml.files import read_csv
from hrrxml.schema import Run

Summary = dict[str, dict[str, dict[str, dict[str, float]]]]


@dataclass(frozen=True)
class Cell:
    """One run's outcome."""

    dataset: str
    model: str
    metrics: dict[str, list[float]]  # of each seed
    ensemble: dict[str, list[float]] | None  # of every three models together
    parameters: dict[str, int]
    curve: pd.DataFrame  # of all seeds

    def mean(self, metric: str) -> float:
        return statistics.mean(self.metrics[metric])


def read(runs: Mapping[str, Run]) -> list[Cell]:
    """The runs that params.yaml names, never whatever else lies in results/."""
    return [_read_cell(name, run) for name, run in runs.items()]


def _read_cell(name: str, run: Run) -> Cell:
    if not paths.metrics(name).exists():
        raise UserError(f"{paths.metrics(name)}: missing; `dvc repro evaluate@{name}` makes it")
    outcome = json.loads(paths.metrics(name).read_text())
    return Cell(
        dataset=run.dataset,
        model=name.removeprefix(f"{run.dataset}-"),
        metrics=outcome["metrics"],
        ensemble=outcome.get("ensemble"),
        parameters=outcome["parameters"],
        curve=read_csv(paths.curve(name)),
    )


def read_datasets(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The statistics of those registered datasets that have been prepared."""
    found = {name: paths.statistics(name) for name in names}
    return {name: json.loads(path.read_text()) for name, path in found.items() if path.exists()}


def read_peers(names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """dataset → peer → `metrics` and `seconds`, with one value per seed."""
    return {name: _read_peers(name) for name in names}


def _read_peers(dataset: str) -> dict[str, Any]:
    path = paths.peers(dataset)
    if not path.exists():
        raise UserError(f"{path}: missing; `dvc repro peers@{dataset}` makes it")
    return dict(json.loads(path.read_text()))


def summarise(cells: Iterable[Cell]) -> Summary:
    """dataset → model → metric → mean, standard deviation and number of seeds."""
    summary: Summary = {}
    for cell in cells:
        summary.setdefault(cell.dataset, {})[cell.model] = {
            metric: over_seeds(values) for metric, values in cell.metrics.items()
        }
    return summary


def over_seeds(values: list[float]) -> dict[str, float]:
    """Mean, sample standard deviation (0 for a single seed) and how many there were."""
    mean = round(statistics.mean(values), 2)
    std = round(statistics.stdev(values), 2) if len(values) > 1 else 0.0
    return {"mean": mean, "std": std, "n": len(values)}


def by_dataset(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    grouped: dict[str, list[Cell]] = {}
    for cell in cells:
        grouped.setdefault(cell.dataset, []).append(cell)
    return grouped
