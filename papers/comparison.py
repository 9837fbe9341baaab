"""Models beside one another and beside other tools, over seeds, and what that says."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from hrrxml.report.significance import paired
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, by_dataset, with_deviation

COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5")
JUDGED = ("P@1", "P@5", "PSP@1")
HEADLINE = ("fc", "fc-shortcut", "hrr-fc", "holographic-fc")
Values = Mapping[str, list[float]]  # metric → one value for each seed


def headline(cells: list[Cell], peers: Mapping[str, Mapping[str, Any]]) -> str:
    """P@1 / P@5 / PSP@1 of the main models and of each dataset's best peer by P@1."""
    rows = [["dataset", *HEADLINE, "three holographic-fc", "best other tool by P@1"]]
    for dataset, group in by_dataset(cells).items():
        models = {cell.model: cell for cell in group}
        others = {name: found["metrics"] for name, found in peers.get(dataset, {}).items()}
        row = [_means(models[name].metrics) if name in models else "–" for name in HEADLINE]
        together = models["holographic-fc"].ensemble if "holographic-fc" in models else None
        best = max(others, key=lambda name: mean(others[name]["P@1"]), default=None)
        last = "–" if best is None else f"{_means(others[best])} ({best})"
        rows.append([dataset, *row, "–" if together is None else _means(together), last])
    return markdown_table(rows)


def _means(values: Values) -> str:
    return " / ".join(f"{mean(values[metric]):.1f}" for metric in JUDGED)


def markdown(cells: list[Cell], peers: Mapping[str, Mapping[str, Any]]) -> str:
    """A table for each dataset, and the verdicts computed from them."""
    parts = []
    for dataset, group in by_dataset(cells).items():
        others = {name: found["metrics"] for name, found in peers.get(dataset, {}).items()}
        parts += [f"### {dataset}", table(group, others)]
        parts += ["\n".join([*_codebooks(group), *_against(group, others)])]
    return "\n\n".join(part for part in parts if part)


def table(cells: list[Cell], peers: Mapping[str, Values]) -> str:
    rows = [["model", *COLUMNS, "seeds", "output parameters"]]
    for cell in cells:
        size = f"{cell.parameters['output']:,}"
        rows.append([cell.model, *_row(cell.metrics), f"{len(cell.metrics['P@1'])}", size])
    for cell in cells:
        if cell.ensemble:
            size = f"3 × {cell.parameters['output']:,}"
            rows.append([f"three {cell.model}", *_row(cell.ensemble), "choices of 3", size])
    for name, found in peers.items():
        rows.append([name, *_row(found), f"{len(found['P@1'])}", "–"])
    return markdown_table(rows)


def _row(values: Values) -> list[str]:
    return [with_deviation(values[column]) for column in COLUMNS]


def _codebooks(cells: list[Cell]) -> list[str]:
    """Circulant codes against random ones, seed by seed."""
    models = {cell.model: cell.metrics for cell in cells}
    if not {"hrr-fc", "random-hrr-fc"} <= set(models):
        return []
    found = [f"{m} {paired(models['hrr-fc'][m], models['random-hrr-fc'][m])}" for m in JUDGED]
    return [f"- Circulant less random codes, HRR-FC: {', '.join(found)}."]


def _against(cells: list[Cell], peers: Mapping[str, Values]) -> list[str]:
    """Holographic models against the best of the peers, and against FC with the same shortcut."""
    models: dict[str, Values] = {cell.model: cell.metrics for cell in cells}
    models |= {f"three {cell.model}": cell.ensemble for cell in cells if cell.ensemble}
    ours = [name for name in models if name.removeprefix("three ").startswith("holographic")]
    lines = [
        f"- {name} less the best peer: {_gaps(models[name], peers)}." for name in ours if peers
    ]
    for name in ("holographic-fc", "three holographic-fc"):
        rival = name.replace("holographic-fc", "fc-shortcut")
        if {name, rival} <= set(models):
            lines.append(f"- {name} less {rival}: {_gaps(models[name], {rival: models[rival]})}.")
    return lines


def _gaps(ours: Values, others: Mapping[str, Values]) -> str:
    best = {m: max(others, key=lambda name, m=m: mean(others[name][m])) for m in JUDGED}  # type: ignore[misc]
    gaps = {m: mean(ours[m]) - mean(others[best[m]][m]) for m in JUDGED}
    named = len(others) > 1
    return ", ".join(f"{m} {gaps[m]:+.2f}" + (f" ({best[m]})" if named else "") for m in JUDGED)
