"""Read the results of the runs in params.yaml from results/, and summarise them."""

import json
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.runtime.errors import UserError

HEADLINES = ("P@1", "P@5", "PSP@1")


@dataclass(frozen=True)
class Cell:
    """The results of one run: a cell of a table."""

    dataset: str
    model: str
    metrics: dict[str, list[float]]  # one value per seed
    ensemble: dict[str, list[float]] | None  # one value per ensemble of three seeds
    parameters: dict[str, int]
    settings: dict[str, dict[str, Any]]  # sections `train`, of the encoder and of the head
    curve: pd.DataFrame  # rows of all seeds
    test_points: int | None = None  # None: a record of a run that did not count them
    outcomes: Mapping[str, np.ndarray] | None = None  # by point, where they are recorded
    at_threshold: Mapping[str, Any] | None = None  # None: the head states no threshold

    @property
    def name(self) -> str:
        """The run's name."""
        return f"{self.dataset}-{self.model}"

    @property
    def seeds(self) -> int:
        return len(self.metrics["P@1"])

    @property
    def seconds(self) -> float:
        """Of training one seed, on average."""
        return float(self.curve["seconds"].sum()) / self.seeds

    def mean(self, metric: str) -> float:
        return statistics.mean(self.metrics[metric])


@dataclass(frozen=True)
class Followed:
    """Training and test accuracy of a run after each epoch."""

    dataset: str
    model: str
    curve: pd.DataFrame  # rows of all seeds

    @property
    def name(self) -> str:
        return f"{self.dataset}-{self.model}"

    def last(self, split: str) -> list[float]:
        """P@1 on a split after the last epoch, one value per seed."""
        end = self.curve[self.curve["epoch"] == self.curve["epoch"].max()]
        return [float(p1) for p1 in end[split]]

    @property
    def gaps(self) -> list[float]:
        """Training accuracy minus test accuracy after the last epoch, one value per seed."""
        return [a - b for a, b in zip(self.last("train"), self.last("test"), strict=True)]


def read(runs: Mapping[str, Run]) -> list[Cell]:
    """Read the runs that params.yaml names, and no other files in results/."""
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
        test_points=outcome["test_points"],
        at_threshold=outcome.get("at_threshold"),
    )


def read_followed(runs: Mapping[str, Run]) -> list[Followed]:
    """Read what the stage `overfitting` wrote for these runs."""
    return [
        Followed(
            run.dataset,
            model_of(name, run.dataset),
            read_csv(paths.overfitting(name), f"overfitting@{name}"),
        )
        for name, run in runs.items()
    ]


def model_of(run: str, dataset: str) -> str:
    """The name of a run without its dataset: `hrr-fc` for `wordnet-hrr-fc`."""
    return run.removeprefix(f"{dataset}-")


def read_json(path: Path, stage: str) -> Any:
    """Read a stage's JSON file, or raise an error that names the stage."""
    _check_exists(path, stage)
    return json.loads(path.read_text())


def read_csv(path: Path, stage: str) -> pd.DataFrame:
    """Read a stage's CSV file, or raise an error that names the stage."""
    _check_exists(path, stage)
    return pd.read_csv(path)


def _check_exists(path: Path, stage: str) -> None:
    if not path.exists():
        raise UserError(f"{path}: missing; `dvc repro {stage}` makes it")


def guessing(facts: Mapping[str, Any]) -> float:
    """P@1 if one always predicts the most frequent label: its percentage of training points."""
    return 100 * float(facts["commonest_labels"][0][1]) / float(facts["points"][0])


def summarise(cells: Iterable[Cell]) -> dict[str, dict[str, float]]:
    """metric → run → mean over seeds."""
    summary: dict[str, dict[str, float]] = {}
    for cell in cells:
        for metric in cell.metrics:
            summary.setdefault(metric, {})[cell.name] = round(cell.mean(metric), 2)
    return summary


def headline(cells: list[Cell]) -> dict[str, dict[str, float]]:
    """P@1 → model → mean over seeds, to compare experiments.

    One metric and short names make the table of `dvc exp show --only-changed` narrow enough for
    a terminal.
    """
    short = short_names(cells)
    return {"P@1": {short[cell.name]: round(cell.mean("P@1"), 2) for cell in cells}}


def short_names(cells: list[Cell]) -> dict[str, str]:
    """run → its name without the dataset, if all runs are on one dataset."""
    alone = len(by_dataset(cells)) == 1
    return {cell.name: cell.model if alone else cell.name for cell in cells}


def over_seeds(values: list[float]) -> dict[str, float]:
    """Mean, sample standard deviation (0 for one seed) and number of seeds."""
    mean = round(statistics.mean(values), 2)
    std = round(statistics.stdev(values), 2) if len(values) > 1 else 0.0
    return {"mean": mean, "std": std, "n": len(values)}


def with_deviation(values: list[float]) -> str:
    """Mean ± standard deviation over seeds, or only the value for one seed."""
    summary = over_seeds(values)
    return f"{summary['mean']:.2f}" + (f" ± {summary['std']:.2f}" if len(values) > 1 else "")


def measured(values: list[float]) -> str:
    """Mean ± standard deviation over seeds, and the number of seeds in brackets."""
    return f"{with_deviation(values)} ({len(values)})"


def by_dataset(cells: Iterable[Cell]) -> dict[str, list[Cell]]:
    grouped: dict[str, list[Cell]] = {}
    for cell in cells:
        grouped.setdefault(cell.dataset, []).append(cell)
    return grouped
