"""Everything that was recorded, in the form that tables, figures and claims read."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from statistics import mean
from typing import Any

import pandas as pd

from hrrxml import suite
from hrrxml.experiments.capacity.lines import Line, lines
from hrrxml.report import results
from hrrxml.report.results import Cell, Followed
from hrrxml.runtime.errors import UserError
from papers import by_point, older, outcomes, records
from papers.by_point import Arrays
from papers.records import Record

CI_SUITE = "regression"  # tiny runs that are no evidence for a paper


@dataclass(frozen=True)
class Evidence:
    cells: Mapping[str, Cell]  # by the run's name
    suites: Mapping[str, list[str]]  # the runs of each suite
    datasets: Mapping[str, dict[str, Any]]  # as counted
    retrieval: pd.DataFrame
    responses: pd.DataFrame
    threshold: float  # share of retrieval errors that capacity allows
    composition: Mapping[str, Any]
    theorem: pd.DataFrame
    benchmarks: Mapping[str, Any]
    followed: list[Followed]
    peers: Mapping[str, Mapping[str, Any]]  # dataset → tool → `metrics` and `seconds`
    by_frequency: Mapping[str, Mapping[str, Any]]  # run → group of labels → metric → by seed
    by_point: Mapping[str, Mapping[str, Arrays]]  # benchmark → dataset → what each method got right
    threads: Mapping[str, int]  # run → threads that trained it

    def of_suite(self, name: str) -> list[Cell]:
        """The recorded runs of a suite."""
        return [self.cells[run] for run in self.suites[name] if run in self.cells]

    def of_suites(self, *names: str) -> dict[str, Cell]:
        """The recorded runs of these suites, by the run's name."""
        runs = {run for name in names for run in self.suites[name]}
        return {run: cell for run, cell in self.cells.items() if run in runs}

    @property
    def all_cells(self) -> list[Cell]:
        return list(self.cells.values())

    @property
    def capacity(self) -> dict[str, Line]:
        """Capacity against d, by variant."""
        return {line.label: line for line in lines(self.retrieval, self.threshold)}

    def dataset_of(self, run: str) -> str:
        """The dataset of a run, whether it was evaluated or followed."""
        if run in self.cells:
            return self.cells[run].dataset
        return next(each.dataset for each in self.followed if each.name == run)

    def n_labels(self) -> dict[str, int]:
        return {name: int(counted["labels"]) for name, counted in self.datasets.items()}

    def guessing(self, dataset: str) -> float:
        """P@1 of always naming the commonest label."""
        return results.guessing(self.datasets[dataset])

    def best_tool(self, dataset: str, metric: str) -> tuple[str, list[float]]:
        """The other tool with the best mean, and its value for each seed."""
        tools = self.peers[dataset]
        values = {name: outcome["metrics"][metric] for name, outcome in tools.items()}
        return max(values.items(), key=lambda item: mean(item[1]))


@cache
def read() -> Evidence:
    """All records, except the tiny runs of CI. Runs come in the order of the suites."""
    suites = {name: list(suite.read(name)["runs"]) for name in suite.names() if name != CI_SUITE}
    if not suites:
        raise UserError(f"{suite.FOLDER}/: no suites; run this from the project's root")
    runs, followed = records.read_all("runs"), records.read_all("followed")
    order = dict.fromkeys(run for names in suites.values() for run in names)
    capacity = records.read("experiments", "capacity")
    return Evidence(
        cells={name: _cell(name, runs[name]) for name in order if name in runs},
        suites=suites,
        datasets={name: r["counted"] for name, r in records.read_all("datasets").items()},
        retrieval=pd.DataFrame(capacity["table"]),
        responses=_table("responses"),
        threshold=capacity["settings"]["threshold"],
        composition=records.read("experiments", "composition")["table"],
        theorem=_table("theorem"),
        benchmarks={name: r["measured"] for name, r in records.read_all("benchmarks").items()},
        followed=[_followed(name, record) for name, record in followed.items()],
        peers={name: record["tools"] for name, record in records.read_all("peers").items()},
        by_frequency={
            name: record["by_frequency"]
            for name, record in runs.items()
            if "by_frequency" in record
        },
        by_point=by_point.read_all(),
        threads={name: r["provenance"]["machine"]["threads"] for name, r in runs.items()},
    )


def _table(name: str) -> pd.DataFrame:
    return pd.DataFrame(records.read("experiments", name)["table"])


def _cell(name: str, record: Record) -> Cell:
    return Cell(
        dataset=record["dataset"],
        model=results.model_of(name, record["dataset"]),
        metrics=record["metrics"],
        ensemble=record.get("ensemble"),
        parameters=record["parameters"],
        settings=older.current(record["settings"]),
        curve=pd.DataFrame(record["curve"]),
        test_points=record.get("test_points"),
        at_threshold=record.get("at_threshold"),
        outcomes=outcomes.read(name),
    )


def _followed(name: str, record: Record) -> Followed:
    dataset = record["dataset"]
    return Followed(dataset, results.model_of(name, dataset), pd.DataFrame(record["curve"]))
