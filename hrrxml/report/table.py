"""The table of models: a row for each run on a dataset, then one for each other tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Any

from matplotlib.ticker import EngFormatter

from hrrxml.report.results import HEADLINES, Cell, with_deviation

METRICS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5", "PSnDCG@5")
COLUMNS = (*HEADLINES, "output weights", "seconds")
DETAILS = (*METRICS, "seeds", "best epoch", "s / epoch", "weights in output", "in all")
SHORT = EngFormatter(places=1, sep=" ")  # such as 1.8 M


@dataclass(frozen=True)
class Row:
    name: str
    cells: Mapping[str, str]  # the text in each of COLUMNS and DETAILS
    best: frozenset[str]  # the metrics in which no other row is better


def rows(cells: list[Cell], tools: Mapping[str, Any]) -> list[Row]:
    """`tools` has the `metrics` and `seconds` of other tools, by name."""
    measured = {cell.model: cell.metrics for cell in cells}
    measured |= {name: outcome["metrics"] for name, outcome in tools.items()}
    others = {cell.model: _of_network(cell) for cell in cells}
    others |= {name: {"seconds": f"{mean(tool['seconds']):,.0f}"} for name, tool in tools.items()}
    best = {m: max(mean(metrics[m]) for metrics in measured.values()) for m in METRICS}
    return [
        Row(
            name,
            dict.fromkeys(COLUMNS + DETAILS, "–")
            | {metric: with_deviation(metrics[metric]) for metric in METRICS}
            | {"seeds": str(len(metrics["P@1"]))}
            | others[name],
            frozenset(metric for metric in METRICS if mean(metrics[metric]) == best[metric]),
        )
        for name, metrics in measured.items()
    ]


def _of_network(cell: Cell) -> dict[str, str]:
    """What another tool does not have."""
    return {
        "output weights": SHORT(cell.parameters["output"]),
        "weights in output": f"{cell.parameters['output']:,}",
        "in all": f"{cell.parameters['network']:,}",
        "seconds": f"{cell.seconds:,.0f}",
        "best epoch": best_epochs(cell),
        "s / epoch": f"{cell.curve['seconds'].median():.1f}",
    }


def best_epochs(cell: Cell) -> str:
    """The best epoch, or the range of the best epochs over seeds."""
    best = cell.curve.loc[cell.curve.groupby("seed")["validation_p1"].idxmax(), "epoch"]
    return "–".join(map(str, sorted({best.min(), best.max()})))
