"""Figures 1, 5, 6 and 7 of the paper, with closed-form predictions (theory.py)."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hrrxml.experiments.capacity import lines, theory
from hrrxml.experiments.capacity.variants import VARIANTS, by_variant
from hrrxml.report.drawing import SERIES

FEW_TERMS = 1024  # the largest n of Figure 1
COLUMNS = 4  # panels per row


def figure1(responses: pd.DataFrame) -> Figure:
    """Responses of present and absent pairs against the number of bound terms."""
    few = responses[responses["n"] <= FEW_TERMS]
    figure = _draw_responses(few)
    for axis in figure.axes:
        axis.set_ylim(-6, 7)
    return figure


def figure7(responses: pd.DataFrame) -> Figure:
    """Responses of present and absent pairs up to many more terms, on logarithmic axes."""
    figure = _draw_responses(responses)
    for axis in figure.axes:
        axis.set_xscale("log", base=2)
        axis.set_yscale("symlog", linthresh=2)
        axis.set_ylim(-100, 100)
    return figure


def _draw_responses(responses: pd.DataFrame) -> Figure:
    d = int(responses["d"].iloc[0])
    figure, axes = _grid(len(VARIANTS), width=13, row_height=3, sharex=True)
    for axis, (variant, rows) in zip(axes, by_variant(responses), strict=True):
        n = rows["n"].to_numpy()
        for kind, expected, colour in (("present", 1, "C1"), ("absent", 0, "C0")):
            others = n - 1 if kind == "present" else n
            mean, deviation = rows[f"{kind}_mean"], rows[f"{kind}_std"]
            axis.plot(n, mean, color=colour, label=f"{kind}, ± one deviation")
            axis.fill_between(n, mean - deviation, mean + deviation, color=colour, alpha=0.25)
            if variant.predictable:
                predicted = theory.response_deviation(others, d)
                for edge in (expected - predicted, expected + predicted):
                    axis.plot(n, edge, color=colour, linestyle=":", linewidth=1)
            axis.axhline(expected, color="black", linewidth=0.5, linestyle="--")
        axis.set_title(variant.label)
    axes[0].legend(fontsize="small", loc="upper left")
    figure.supxlabel("bound terms n")
    figure.supylabel(f"response at d = {d}; dotted: ± √(n/d), as predicted")
    return figure


def figure5(retrieval: pd.DataFrame, threshold: float) -> Figure:
    """Capacity against d, with the fitted exponent of each variant."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    axis = figure.subplots()
    for number, line in enumerate(lines.lines(retrieval, threshold)):
        label = f"{line.label}: d^{line.exponent:.2f}"
        style = SERIES[number % len(SERIES)]
        axis.plot(list(line.capacity), list(line.capacity.values()), **style, label=label)
    dims = sorted({int(d) for d in retrieval["d"]})
    predicted = [theory.capacity(d, threshold) for d in dims]
    axis.plot(dims, predicted, color="black", linestyle=":", label="predicted")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set(xlabel="d", ylabel=f"pairs held at {threshold:.0%} retrieval errors")
    figure.legend(loc="outside right center", fontsize="small")
    return figure


def figure6(retrieval: pd.DataFrame) -> Figure:
    """Retrieval error against n, one panel per d. The shade is the deviation over trials."""
    dims = sorted({int(d) for d in retrieval["d"]})
    figure, axes = _grid(len(dims), width=14, row_height=3.2)
    for axis, d in zip(axes, dims, strict=True):
        _draw_errors(axis, retrieval[retrieval["d"] == d], d)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize="small")
    figure.supxlabel("bound pairs n, and as many distractors")
    figure.supylabel("retrieval error")
    return figure


def _grid(
    panels: int, width: float, row_height: float, *, sharex: bool = False
) -> tuple[Figure, list[Axes]]:
    """A figure with so many panels in rows of COLUMNS. The panels share their y axis."""
    rows = math.ceil(panels / COLUMNS)
    figure = Figure(figsize=(width, row_height * rows), layout="constrained")
    axes = list(figure.subplots(rows, COLUMNS, squeeze=False, sharex=sharex, sharey=True).flat)
    for axis in axes[panels:]:
        axis.set_axis_off()
    return figure, axes[:panels]


def _draw_errors(axis: Axes, retrieval: pd.DataFrame, d: int) -> None:
    for number, (variant, rows) in enumerate(by_variant(retrieval)):
        n, mean, deviation = rows["n"], rows["error_mean"], rows["error_std"]
        axis.plot(n, mean, color=f"C{number}", label=variant.label)
        low, high = (mean - deviation).clip(0), (mean + deviation).clip(upper=1)
        axis.fill_between(n, low, high, color=f"C{number}", alpha=0.2)
    n = np.unique(retrieval["n"])
    axis.plot(n, theory.retrieval_error(n, d), color="black", linestyle=":", label="predicted")
    axis.set_xscale("log", base=2)
    axis.set_title(f"d = {d}")
