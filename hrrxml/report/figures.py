"""The figures about the runs of a suite."""

from collections.abc import Callable
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hrrxml.report.results import Cell, Followed, by_dataset

PLACES = (1, 2, 3, 4, 5)
SPLIT_COLOURS = {"train": "C0", "test": "C3"}  # blue and red, as in GLaS


def learning_curves(cells: list[Cell]) -> Figure:
    """Validation P@1 against epochs and against seconds of training"""
    figure, rows = _grid(cells)
    for (by_epoch, by_seconds), group in rows:
        for cell in group:
            mean = cell.curve.groupby("epoch").mean()  # over seeds
            style: Any = {"marker": "o", "label": cell.model, "color": _colour(cell, cells)}
            for axis, x in ((by_epoch, mean.index), (by_seconds, mean["seconds"].cumsum())):
                axis.plot(x, mean["validation_p1"], **style)
        by_epoch.set(xlabel="epoch", ylabel="validation P@1, %")
        by_seconds.set(xlabel="seconds of training")
        by_seconds.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def precision(cells: list[Cell]) -> Figure:
    """P@k and PSP@k against k on the test split"""
    figure, rows = _grid(cells)
    for axes, group in rows:
        for axis, metric in zip(axes, ("P", "PSP"), strict=True):
            for cell in group:
                values = [cell.mean(f"{metric}@{k}") for k in PLACES]
                axis.plot(PLACES, values, marker="o", label=cell.model, color=_colour(cell, cells))
            axis.set(xlabel="k", ylabel=f"test {metric}@k, %", xticks=PLACES)
        axes[-1].legend(loc="upper left", bbox_to_anchor=(1, 1))
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
    "learning_curves": learning_curves,
    "precision": precision,
}


def _grid(cells: list[Cell]) -> tuple[Figure, list[tuple[list[Axes], list[Cell]]]]:
    """An empty figure, and for each dataset its row of two panels and its cells."""
    groups = by_dataset(cells)
    figure = Figure(figsize=(9, 3.4 * len(groups)), layout="constrained")
    axes = figure.subplots(len(groups), 2, squeeze=False)
    for row, dataset in zip(axes, groups, strict=True):
        for axis in row:
            axis.set_title(dataset)
    return figure, [(list(row), group) for row, group in zip(axes, groups.values(), strict=True)]


def _colour(cell: Cell, cells: list[Cell]) -> str:
    """One colour for each model, the same on all datasets."""
    models = list(dict.fromkeys(other.model for other in cells))
    return f"C{models.index(cell.model)}"
