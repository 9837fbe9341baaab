"""P@k and its propensity-scored form against k, on the test split."""

from matplotlib.figure import Figure

from hrrxml.figures.panels import colour, grid
from hrrxml.results import Cell

PLACES = (1, 2, 3, 4, 5)


def draw(cells: list[Cell]) -> Figure:
    figure, rows = grid(cells, columns=2)
    for axes, group in rows:
        for axis, metric in zip(axes, ("P", "PSP"), strict=True):
            for cell in group:
                values = [cell.mean(f"{metric}@{k}") for k in PLACES]
                axis.plot(PLACES, values, marker="o", label=cell.model, color=colour(cell, cells))
            axis.set(xlabel="k", ylabel=f"test {metric}@k, %", xticks=PLACES)
        axes[-1].legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure
