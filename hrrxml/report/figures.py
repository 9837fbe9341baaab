"""The figures about the runs of a suite."""

import math
from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, NullFormatter

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell, Followed, by_dataset

PLACES = (1, 2, 3, 4, 5)
SPLIT_COLOURS = {"train": "C0", "test": "C3"}  # blue and red, as in GLaS
NAME_HEIGHT = 0.07  # of a point's name, as a share of its panel


def accuracy_by_output_size(cells: list[Cell]) -> Figure:
    """P@1 on the test split against the number of weights in the output layer"""
    figure, rows = _grid(cells, columns=1)
    for (axis,), group in rows:
        for cell in group:
            axis.plot(cell.parameters["output"], cell.mean("P@1"), **_style(cell, cells))
        axis.set(xlabel="weights of the output layer", ylabel="test P@1, %", xscale="log")
        _show_powers_of_ten(axis)
        _name_points(axis, group)
    return figure


def learning_curves(cells: list[Cell]) -> Figure:
    """P@1 on the validation split after each epoch"""
    figure, rows = _grid(cells, columns=1)
    for (axis,), group in rows:
        for cell in group:
            curve = cell.curve.groupby("epoch")["validation_p1"].mean()  # over seeds
            axis.plot(curve.index, curve, **_style(cell, cells))
        axis.set(xlabel="epoch", ylabel="validation P@1, %")
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))
        _add_legend(axis)
    return figure


def precision(cells: list[Cell]) -> Figure:
    """P@k and PSP@k against k on the test split"""
    figure, rows = _grid(cells, columns=2)
    for axes, group in rows:
        for axis, metric in zip(axes, ("P", "PSP"), strict=True):
            for cell in group:
                axis.plot(
                    PLACES, [cell.mean(f"{metric}@{k}") for k in PLACES], **_style(cell, cells)
                )
            axis.set(xlabel="k", ylabel=f"test {metric}@k, %", xticks=PLACES)
        _add_legend(axes[0])
    return figure


def overfitting(followed: list[Followed]) -> Figure:
    """P@1 on training and test points by epoch (GLaS's Figure 1); dashed: no regularisation"""
    datasets = list(dict.fromkeys(run.dataset for run in followed))
    figure = Figure(figsize=(3.6 * len(datasets), 3.4), layout="constrained")
    axes = dict(zip(datasets, figure.subplots(1, len(datasets), squeeze=False)[0], strict=True))
    for run in followed:
        axis = axes[run.dataset]
        means = run.curve.groupby("epoch")[["train", "test"]].mean()
        style = "--" if run.model == "glas-none" else "-"
        kind = run.model.removeprefix("glas-")
        for split, colour in SPLIT_COLOURS.items():
            axis.plot(means[split], style, color=colour, label=f"{split}, {kind}")
        axis.set(title=run.dataset, xlabel="epoch", ylabel="P@1, %")
    axes[datasets[0]].legend()
    return figure


OF_RUNS: dict[str, Callable[[list[Cell]], Figure]] = {
    "accuracy_by_output_size": accuracy_by_output_size,
    "learning_curves": learning_curves,
    "precision": precision,
}


def _grid(cells: list[Cell], columns: int) -> tuple[Figure, list[tuple[list[Axes], list[Cell]]]]:
    """An empty figure, and for each dataset its row of panels and its cells."""
    groups = by_dataset(cells)
    figure = Figure(figsize=(0.6 + 3.6 * columns, 3.1 * len(groups)), layout="constrained")
    axes = figure.subplots(len(groups), columns, squeeze=False)
    for row, dataset in zip(axes, groups, strict=True):
        row[0].set_title(dataset)
    return figure, [(list(row), group) for row, group in zip(axes, groups.values(), strict=True)]


def _add_legend(axis: Axes) -> None:
    columns = 1 + len(axis.lines) // 5
    axis.legend(fontsize="small", ncols=columns, columnspacing=1, handlelength=1.4)


def _show_powers_of_ten(axis: Axes) -> None:
    """Label powers of ten alone, and widen a logarithmic x axis that shows fewer than two."""
    axis.xaxis.set_minor_formatter(NullFormatter())
    low, high = (math.log10(end) for end in axis.get_xlim())
    if math.floor(high) - math.ceil(low) < 1:
        axis.set_xlim(10.0 ** math.floor(low), 10.0 ** math.ceil(high))


def _name_points(axis: Axes, cells: list[Cell]) -> None:
    """Write each model's name right of its point, and names that would overlap above others."""
    low, high = axis.get_ylim()
    height = NAME_HEIGHT * (high - low)
    highest: dict[int, float] = {}  # the highest name so far at each half of a power of ten
    for cell in sorted(cells, key=lambda cell: cell.mean("P@1")):
        size = cell.parameters["output"]
        column = round(2 * math.log10(size))
        highest[column] = max(cell.mean("P@1"), highest.get(column, 0) + height)
        place: Any = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
        axis.annotate(cell.model, (size, highest[column]), fontsize="small", **place)


def _style(cell: Cell, cells: list[Cell]) -> dict[str, Any]:
    """A model's label, colour and marker: the same on all datasets and in all figures."""
    models = list(dict.fromkeys(other.model for other in cells))
    return SERIES[models.index(cell.model) % len(SERIES)] | {"label": cell.model}
