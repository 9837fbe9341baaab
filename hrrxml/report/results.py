"""The results of the runs in params.yaml, read from results/ and summarised."""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.runtime.errors import UserError

HEADLINES = ("P@1", "P@5", "PSP@1")
Summary = dict[str, dict[str, dict[str, dict[str, float]]]]


@dataclass(frozen=True)
class Cell:
    """One run's outcome: a cell of a table."""

    dataset: str
    model: str
    metrics: dict[str, list[float]]  # one value for each seed
    ensemble: dict[str, list[float]] | None  # one value for every three seeds together
    parameters: dict[str, int]
    settings: dict[str, dict[str, Any]]  # `train`, its encoder's and its head's
    curve: pd.DataFrame  # of all seeds

    @property
    def name(self) -> str:
        """The run's name."""
        return f"{self.dataset}-{self.model}"

    @property
    def seeds(self) -> int:
        return len(self.metrics["P@1"])

    def mean(self, metric: str) -> float:
        return statistics.mean(self.metrics[metric])


@dataclass(frozen=True)
class Followed:
    """Training and test accuracy of a run, epoch by epoch."""

    dataset: str
    model: str
    curve: pd.DataFrame  # of all seeds

    @property
    def name(self) -> str:
        return f"{self.dataset}-{self.model}"

    def last(self, split: str) -> list[float]:
        """P@1 on a split after the last epoch, for each seed."""
        end = self.curve[self.curve["epoch"] == self.curve["epoch"].max()]
        return [float(p1) for p1 in end[split]]

    @property
    def gaps(self) -> list[float]:
        """Training minus test accuracy, for each seed."""
        return [a - b for a, b in zip(self.last("train"), self.last("test"), strict=True)]


def read(runs: Mapping[str, Run]) -> list[Cell]:
    """The runs that params.yaml names. Other files in results/ are not read."""
    return [_read_cell(name, run) for name, run in runs.items()]


def _read_cell(name: str, run: Run) -> Cell:
    outcome = read_json(paths.metrics(name), f"evaluate@{name}")
    return Cell(
        dataset=run.dataset,
        model=model_of(name, run.dataset),
        metrics=outcome["metrics"],
        ensemble=outcome.get("ensemble"),
        parameters=outcome["parameters"],
        settings=outcome["settings"],
        curve=read_csv(paths.curve(name), f"train@{name}"),
    )


def read_followed(runs: Mapping[str, Run]) -> list[Followed]:
    """What the stage `overfitting` wrote of these runs."""
    return [
        Followed(
            run.dataset,
            model_of(name, run.dataset),
            read_csv(paths.overfitting(name), f"overfitting@{name}"),
        )
        for name, run in runs.items()
    ]


def model_of(run: str, dataset: str) -> str:
    """A run's name without its dataset's: `hrr-fc` of `wordnet-hrr-fc`."""
    return run.removeprefix(f"{dataset}-")


def read_json(path: Path, stage: str) -> Any:
    """What a stage wrote; an error that names the stage if it is missing."""
    _check_exists(path, stage)
    return json.loads(path.read_text())


def read_csv(path: Path, stage: str) -> pd.DataFrame:
    """What a stage wrote; an error that names the stage if it is missing."""
    _check_exists(path, stage)
    return pd.read_csv(path)


def _check_exists(path: Path, stage: str) -> None:
    if not path.exists():
        raise UserError(f"{path}: missing; `dvc repro {stage}` makes it")


def guessing(counted: Mapping[str, Any]) -> float:
    """P@1 of always naming the commonest label: the percentage of training points that have it."""
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
    """run → the few means that experiments are compared by."""
    return {cell.name: {m: round(cell.mean(m), 2) for m in HEADLINES} for cell in cells}


def over_seeds(values: list[float]) -> dict[str, float]:
    """Mean, sample standard deviation (0 for one seed) and number of seeds."""
    mean = round(statistics.mean(values), 2)
    std = round(statistics.stdev(values), 2) if len(values) > 1 else 0.0
    return {"mean": mean, "std": std, "n": len(values)}


def with_deviation(values: list[float]) -> str:
    """Mean ± standard deviation over seeds; the value itself for one seed."""
    summary = over_seeds(values)
    return f"{summary['mean']:.2f}" + (f" ± {summary['std']:.2f}" if len(values) > 1 else "")


def measured(values: list[float]) -> str:
    """Mean ± standard deviation, and the number of seeds in brackets."""
    return f"{with_deviation(values)} ({len(values)})"


def by_dataset(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    grouped: dict[str, list[Cell]] = {}
    for cell in cells:
        grouped.setdefault(cell.dataset, []).append(cell)
    return grouped
