"""Accuracy against core-seconds, and against the bytes of a model."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell
from hrrxml.runtime import registry
from papers.contenders import NAMES, Contender, Field
from papers.evidence import Evidence

SECONDS, BYTES = "leaders-seconds", "leaders-bytes"
COLUMNS = 3
HOW = (
    "How soon ours comes to a P@1 follows from its held-out points, not from test points: P@1 of "
    "each epoch as a share of the best epoch's, times P@1 of the test points. An epoch's seconds "
    "follow from those of all, and of a model that stopped after one."
)
AXES = {"train_seconds": "core-seconds to train", "bytes": "bytes of the model"}
HELD_OUT = "held_out_p1"
MARKERS = [style["marker"] for style in SERIES]


def seconds_to(ours: Contender, p1: float) -> float | None:
    """Core-seconds until ours has this P@1; None if it never has it, or if its pace is unknown."""
    if (known := course(ours)) is None:
        return None
    seconds, reached = known
    above = np.flatnonzero(reached >= p1)
    return float(seconds[above[0]]) if len(above) else None


def course(ours: Contender) -> tuple[np.ndarray, np.ndarray] | None:
    """The core-seconds and the estimated P@1 after each epoch, means over seeds.

    If training stopped after an epoch, the best one so far would be kept. A seed that has stopped
    keeps its P@1. None if nothing was held out.
    """
    held_out = [chosen["curve"].get(HELD_OUT, []) for chosen in ours.measured["chosen"]]
    if not all(values and max(value or 0 for value in values) for values in held_out):
        return None
    longest = max(map(len, held_out))
    shares = [_best_so_far(values, longest) for values in held_out]
    whole, lengths = mean(ours.measured["train_seconds"]), mean(map(len, held_out))
    first = ours.measured["first"]["train_seconds"][0]
    each = max(0.0, whole - first) / max(1.0, lengths - 1)
    finals = np.array(ours.metrics["P@1"])
    return first + each * np.arange(longest), (finals[:, None] * np.stack(shares)).mean(0)


def _best_so_far(values: Sequence[float | None], length: int) -> np.ndarray:
    """As shares of the best, and continued to this length."""
    best = np.maximum.accumulate([value or 0.0 for value in values])
    return np.pad(best, (0, length - len(best)), mode="edge") / best[-1]


def draw(known: Sequence[Field], evidence: Evidence, cost: str) -> Figure:
    """A panel for each dataset: P@1 of every tool, of ours, and of every recorded head."""
    rows = -(-len(known) // COLUMNS)
    figure = Figure(figsize=(10, 2.6 * rows + 1), layout="constrained")
    panels = figure.subplots(rows, COLUMNS, squeeze=False).ravel()
    named: dict[str, Any] = {}  # in the legend, each once
    for field, axis in zip(known, panels, strict=False):
        _draw_heads(axis, field.dataset, evidence, cost)
        _draw_contenders(axis, field, cost)
        lines, names = axis.get_legend_handles_labels()
        named |= dict(zip(names, lines, strict=True))
    for axis in panels[len(known) :]:
        axis.remove()
    figure.supxlabel(AXES[cost], fontsize="medium")
    figure.supylabel("P@1, %", fontsize="medium")
    figure.legend(named.values(), named.keys(), loc="outside right upper", fontsize="small")
    return figure


def _draw_contenders(axis: Any, field: Field, cost: str) -> None:
    for key, each in field.contenders.items():
        number = list(NAMES).index(key)
        style = {"color": f"C{number % 10}", "marker": MARKERS[number % len(MARKERS)]}
        axis.plot([each.cost(cost)], [each.mean("P@1")], ls="none", label=each.name, **style)
        if cost == "train_seconds" and each.is_ours and not each.is_choice:
            axis.plot(*(course(each) or ([], [])), color=style["color"], linewidth=0.8)
    best = max(each.mean("P@1") for each in field.contenders.values())
    axis.set(title=field.dataset, xscale="log", ylim=(0.8 * best, 1.03 * best))


def _draw_heads(axis: Any, dataset: str, evidence: Evidence, cost: str) -> None:
    """The pipeline's recorded runs, small and grey: a marker for each head."""
    cells = [cell for cell in evidence.all_cells if cell.dataset == dataset]
    for name, marker in zip(registry.names("hrrxml.heads"), MARKERS, strict=False):
        runs = [cell for cell in cells if name in cell.settings]
        if runs:
            where = [_cost(cell, evidence, cost) for cell in runs]
            style = {"color": "0.7", "marker": marker, "markersize": 3}
            p1 = [cell.mean("P@1") for cell in runs]
            axis.plot(where, p1, ls="none", label=f"head `{name}`", **style)


def _cost(cell: Cell, evidence: Evidence, cost: str) -> float:
    """Core-seconds of training one seed of a recorded run, or the bytes of its weights."""
    if cost == "bytes":
        return 4.0 * cell.parameters["network"]
    return cell.seconds * evidence.threads.get(cell.name, 1)
