"""A row of panels for each dataset, one colour for each model throughout."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from hrrxml.results import Cell, by_dataset


def grid(cells: list[Cell], columns: int) -> tuple[Figure, list[tuple[list[Axes], list[Cell]]]]:
    """An empty figure, and for each dataset its panels and its cells."""
    groups = by_dataset(cells)
    figure = Figure(figsize=(4.5 * columns, 3.4 * len(groups)), layout="constrained")
    axes = figure.subplots(len(groups), columns, squeeze=False)
    for row, dataset in zip(axes, groups, strict=True):
        for axis in row:
            axis.set_title(dataset)
    return figure, [(list(row), group) for row, group in zip(axes, groups.values(), strict=True)]


def colour(cell: Cell, cells: list[Cell]) -> str:
    models = list(dict.fromkeys(other.model for other in cells))
    return f"C{models.index(cell.model)}"
