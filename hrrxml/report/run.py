"""The Markdown report about one suite: tables and figures."""

from collections.abc import Mapping
from typing import Any

from hrrxml.config import paths
from hrrxml.report.figures import OF_RUNS, overfitting
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, Followed, by_dataset, with_deviation

COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5", "PSnDCG@5")
INTRODUCTION = (
    "What the suite in `params.yaml` trained and measured. Metrics are percent on the whole test "
    "split: the mean over seeds ± their standard deviation. The epoch is chosen on the validation "
    "split. `python -m papers` compares all recorded runs with the papers."
)
Peers = Mapping[str, Mapping[str, Any]]  # dataset → tool → `metrics` and `seconds`


def markdown(
    cells: list[Cell], peers: Peers, followed: list[Followed], benchmarks: Mapping[str, Any]
) -> str:
    """The whole report. Sections without results are left out."""
    parts = ["# This run", INTRODUCTION]
    for dataset, group in by_dataset(cells).items():
        parts += [f"## {dataset}", table(group, peers.get(dataset, {}))]
    if cells:
        parts += ["## Figures"]
        parts += [figure(name, draw.__doc__ or name) for name, draw in OF_RUNS.items()]
    if followed:
        parts += ["## Overfitting", figure("overfitting", overfitting.__doc__ or "")]
    for name, measured in benchmarks.items():
        parts += [f"## Benchmark: {name}", flat_table(measured)]
    return "\n\n".join(parts) + "\n"


def table(cells: list[Cell], peers: Mapping[str, Any]) -> str:
    """The metrics, size and speed of every model on one dataset, then those of other tools."""
    rows = [["model", *COLUMNS, "seeds", "output parameters", "best epoch", "s / epoch"]]
    for cell in cells:
        row = [cell.model, *(with_deviation(cell.metrics[column]) for column in COLUMNS)]
        row += [str(cell.seeds), f"{cell.parameters['output']:,}"]
        rows.append([*row, best_epochs(cell), f"{seconds_per_epoch(cell):.1f}"])
    for name, outcome in peers.items():
        metrics = outcome["metrics"]
        shown = [with_deviation(metrics[column]) for column in COLUMNS]
        rows.append([name, *shown, str(len(metrics["P@1"])), "–", "–", "–"])
    return markdown_table(rows)


def flat_table(measured: Any) -> str:
    """A table of all numbers of a benchmark and their dotted paths."""
    rows = [[path, str(value)] for path, value in flat(measured)]
    return markdown_table([["what", "value"], *rows])


def flat(measured: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Flatten nested dicts and lists to pairs of a dotted path and a value."""
    if not isinstance(measured, dict | list):
        return [(prefix.removesuffix("."), measured)]
    items = measured.items() if isinstance(measured, dict) else enumerate(measured)
    return [pair for key, value in items for pair in flat(value, f"{prefix}{key}.")]


def figure(name: str, alt: str) -> str:
    return f"![{alt}](../{paths.figure('runs', name)})"


def best_epochs(cell: Cell) -> str:
    """The best epoch, or the range of the best epochs over seeds."""
    best = cell.curve.loc[cell.curve.groupby("seed")["validation_p1"].idxmax(), "epoch"]
    return "–".join(map(str, sorted({best.min(), best.max()})))


def seconds_per_epoch(cell: Cell) -> float:
    return float(cell.curve["seconds"].median())
