"""Everything that was measured: the runs of all suites, the studies and the benchmarks."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from statistics import mean
from typing import Any

import pandas as pd

from benchmarks import findings as benchmarks
from hrrxml import suite
from hrrxml.config import paths
from hrrxml.config.schema import Params
from hrrxml.experiments.capacity import findings as capacity
from hrrxml.report import results
from hrrxml.report.results import Cell, Followed
from hrrxml.runtime.files import read_csv
from papers.published import PUBLISHED


@dataclass(frozen=True)
class Evidence:
    cells: Mapping[str, Cell]  # by the run's name
    datasets: Mapping[str, dict[str, Any]]  # as counted, with the paper's figures
    capacity: Mapping[str, capacity.Line]  # by variant
    retrieval: pd.DataFrame
    responses: pd.DataFrame
    theorem: pd.DataFrame
    benchmarks: Mapping[str, Any]
    followed: list[Followed]
    peers: Mapping[str, Mapping[str, Any]]

    def of_suite(self, name: str) -> list[Cell]:
        """Those of its runs that were done."""
        return [self.cells[run] for run in suite.runs_of(name) if run in self.cells]

    def n_labels(self) -> dict[str, int]:
        return {name: int(counted["labels"]) for name, counted in self.datasets.items()}

    def guessing(self, dataset: str) -> float:
        """P@1 of always naming the commonest label."""
        return results.guessing(self.datasets[dataset])

    def best_tool(self, dataset: str, metric: str) -> tuple[str, float]:
        """Of other people's, and what it reached."""
        tools = self.peers[dataset]
        reached = {name: mean(found["metrics"][metric]) for name, found in tools.items()}
        return max(reached.items(), key=itemgetter(1))


def read(settings: Params) -> Evidence:
    """What params.yaml and the suites name, of that what was done; never what else lies there."""
    runs = suite.all_runs("runs") | settings.runs
    known = {name: run for name, run in runs.items() if run.dataset in settings.datasets}
    cells = results.read_done(known)
    retrieval = read_csv(paths.CAPACITY)
    lines = capacity.lines(retrieval, settings.capacity.threshold)
    counted = results.read_datasets(settings.datasets)
    return Evidence(
        cells={cell.name: cell for cell in cells},
        datasets={
            name: f | {"table6": PUBLISHED["table6"].get(name)} for name, f in counted.items()
        },
        capacity={line.label: line for line in lines},
        retrieval=retrieval,
        responses=read_csv(paths.RESPONSES),
        theorem=read_csv(paths.THEOREM),
        benchmarks=benchmarks.read(),
        followed=results.read_followed(suite.all_runs("overfitting") | settings.overfitting),
        peers=results.read_peers(settings.datasets),
    )
