"""Accuracy against core-seconds, and against the bytes of a model."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell
from hrrxml.runtime import registry
from papers.contenders import NAMES, SINGLE, SIZE, Contender, Field
from papers.evidence import Evidence

SECONDS, BYTES = "leaders-seconds", "leaders-bytes"
COLUMNS = 3
HOW = (
    "How soon ours comes to a P@1 follows from its held-out points, not from test points: P@1 of "
    "each epoch as a share of the best epoch's, times P@1 of the test points. An epoch's seconds "
    "follow from those of all, and of a model that stopped after one."
)
DRAWN = (
    "Lines are ours after each epoch, and its mark is where it stops. Grey marks are the heads of "
    "the pipeline, of each the recorded run with the best P@1; they learn from the training split "
    "alone, and their bytes are those of float32."
)
AXES = {"train_seconds": "core-seconds to train", "bytes": "megabytes of the model"}
UNITS = {"train_seconds": "{x:,g}", "bytes": lambda size, _: f"{size / 1e6:,g}"}
HELD_OUT = "held_out_p1"
MARKERS = [style["marker"] for style in SERIES]  # of the heads
ONE, SEVERAL = "o", "D"
COLOURS = {  # of one model, and of several of a kind
    "texts": "C3",
    "features": "C1",
    "parabel-1": "C0",
    "parabel": "C0",
    "bonsai": "C9",
    "plt": "C2",
    "pecos": "C4",
    "br": "C5",
}


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
    in_order = [*(name for name in NAMES.values() if name in named), *named]
    shown = {name: named[name] for name in in_order}  # ours and the tools, then the heads
    figure.legend(shown.values(), shown.keys(), loc="outside right upper", fontsize="small")
    return figure


def _draw_contenders(axis: Any, field: Field, cost: str) -> None:
    for key, each in field.contenders.items():
        colour = COLOURS[key.removesuffix(f"-{SIZE}")]
        marker = ONE if key in (*SINGLE, "texts", "features") else SEVERAL
        where = [each.cost(cost)], [each.mean("P@1")]
        axis.plot(*where, ls="none", label=each.name, color=colour, marker=marker)
        if cost == "train_seconds" and each.is_ours and not each.is_choice:
            axis.plot(*(course(each) or ([], [])), color=colour, linewidth=0.8)
    best = max(float(p1) for line in axis.lines for p1 in line.get_ydata())
    axis.set(title=field.dataset, xscale="log", ylim=(0.8 * best, 1.03 * best))
    axis.yaxis.set_major_locator(MaxNLocator(4))
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
    axis.xaxis.set_major_formatter(UNITS[cost])
    axis.minorticks_off()


def _draw_heads(axis: Any, dataset: str, evidence: Evidence, cost: str) -> None:
    """The pipeline's heads, small and grey: of each the recorded run with the best P@1."""
    cells = [cell for cell in evidence.all_cells if cell.dataset == dataset]
    for name, marker in zip(registry.names("hrrxml.heads"), MARKERS, strict=False):
        runs = [cell for cell in cells if name in cell.settings]
        if runs:
            best = max(runs, key=lambda cell: cell.mean("P@1"))
            style = {"color": "0.6", "marker": marker, "markersize": 4}
            where = [_cost(best, evidence, cost)], [best.mean("P@1")]
            axis.plot(*where, ls="none", label=f"head `{name}`", **style)


def _cost(cell: Cell, evidence: Evidence, cost: str) -> float:
    """Core-seconds of training one seed of a recorded run, or the bytes of its weights."""
    if cost == "bytes":
        return 4.0 * cell.parameters["network"]
    return cell.seconds * evidence.threads.get(cell.name, 1)
