"""Figures 1, 5, 6 and 7 of the paper, with closed-form predictions over the measurements."""

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hrrxml.experiments.capacity import lines, theory
from hrrxml.experiments.capacity.variants import by_variant

FEW_TERMS = 1024  # where Figure 1 ends


def figure1(responses: pd.DataFrame) -> Figure:
    """Responses of present and absent pairs against the number of bound terms."""
    few = responses[responses["n"] <= FEW_TERMS]
    figure = _draw_responses(few)
    for axis in figure.axes:
        axis.set_ylim(-6, 7)
    return figure


def figure7(responses: pd.DataFrame) -> Figure:
    """The same to many more terms, on logarithmic axes."""
    figure = _draw_responses(responses)
    for axis in figure.axes:
        axis.set_xscale("log", base=2)
        axis.set_yscale("symlog", linthresh=2)
        axis.set_ylim(-100, 100)
    return figure


def _draw_responses(responses: pd.DataFrame) -> Figure:
    d = int(responses["d"].iloc[0])
    figure = Figure(figsize=(13, 6), layout="constrained")
    axes = figure.subplots(2, 4, sharex=True, sharey=True)
    for axis, (variant, mine) in zip(axes.flat, by_variant(responses), strict=True):
        n = mine["n"].to_numpy()
        for kind, expected, colour in (("present", 1, "C1"), ("absent", 0, "C0")):
            others = n - 1 if kind == "present" else n
            mean, deviation = mine[f"{kind}_mean"], mine[f"{kind}_std"]
            axis.plot(n, mean, color=colour, label=f"{kind}, ± one deviation")
            axis.fill_between(n, mean - deviation, mean + deviation, color=colour, alpha=0.25)
            if variant.predictable:
                predicted = theory.response_deviation(others, d)
                for edge in (expected - predicted, expected + predicted):
                    axis.plot(n, edge, color=colour, linestyle=":", linewidth=1)
            axis.axhline(expected, color="black", linewidth=0.5, linestyle="--")
        axis.set_title(variant.label)
    axes[0, 0].legend(fontsize="small", loc="upper left")
    figure.supxlabel("bound terms n")
    figure.supylabel(f"response at d = {d}; dotted: ± √(n/d), as predicted")
    return figure


def figure5(retrieval: pd.DataFrame, threshold: float) -> Figure:
    """Capacity against d, with the fitted exponent of each variant."""
    figure = Figure(figsize=(9, 5), layout="constrained")
    axis = figure.subplots()
    for number, line in enumerate(lines.lines(retrieval, threshold)):
        label = f"{line.label}: d^{line.exponent:.2f}"
        dims, held = list(line.capacity), list(line.capacity.values())
        axis.plot(dims, held, color=f"C{number}", marker="o^sDvPX*"[number], label=label)
    dims = sorted({int(d) for d in retrieval["d"]})
    predicted = [theory.capacity(d, threshold) for d in dims]
    axis.plot(dims, predicted, color="black", linestyle=":", label="predicted")
    axis.set_xscale("log", base=2)
    axis.set_yscale("log", base=2)
    axis.set(xlabel="d", ylabel=f"pairs held at {threshold:.0%} retrieval errors")
    figure.legend(loc="outside right center", fontsize="small")
    return figure


def figure6(retrieval: pd.DataFrame) -> Figure:
    """Retrieval error against n, one panel per dimension, deviation over trials shaded."""
    dims = sorted({int(d) for d in retrieval["d"]})
    columns = 4
    rows = math.ceil(len(dims) / columns)
    figure = Figure(figsize=(14, 3.2 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, sharey=True)
    for axis in axes.flat[len(dims) :]:
        axis.set_axis_off()
    for axis, d in zip(axes.flat, dims, strict=False):
        _draw_errors(axis, retrieval[retrieval["d"] == d], d)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right center", fontsize="small")
    figure.supxlabel("bound pairs n, and as many distractors")
    figure.supylabel("retrieval error")
    return figure


def _draw_errors(axis: Axes, retrieval: pd.DataFrame, d: int) -> None:
    for number, (variant, mine) in enumerate(by_variant(retrieval)):
        n, mean, deviation = mine["n"], mine["error_mean"], mine["error_std"]
        axis.plot(n, mean, color=f"C{number}", label=variant.label)
        low, high = (mean - deviation).clip(0), (mean + deviation).clip(upper=1)
        axis.fill_between(n, low, high, color=f"C{number}", alpha=0.2)
    n = np.unique(retrieval["n"])
    axis.plot(n, theory.retrieval_error(n, d), color="black", linestyle=":", label="predicted")
    axis.set_xscale("log", base=2)
    axis.set_title(f"d = {d}")
