"""Validation P@1 against epochs and against seconds of training."""

from matplotlib.figure import Figure

from hrrxml.figures.panels import colour, grid
from hrrxml.results import Cell


def draw(cells: list[Cell]) -> Figure:
    figure, rows = grid(cells, columns=2)
    for (by_epoch, by_seconds), group in rows:
        for cell in group:
            mean = cell.curve.groupby("epoch").mean()  # over seeds
            for axis, x in ((by_epoch, mean.index), (by_seconds, mean["seconds"].cumsum())):
                axis.plot(
                    x,
                    mean["validation_p1"],
                    marker="o",
                    label=cell.model,
                    color=colour(cell, cells),
                )
        by_epoch.set(xlabel="epoch", ylabel="validation P@1, %")
        by_seconds.set(xlabel="seconds of training")
        by_seconds.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure
