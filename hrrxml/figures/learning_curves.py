"""Validation P@1 against epochs and against seconds of training."""

from matplotlib.figure import Figure

from hrrxml.results import Cell, by_dataset


def draw(cells: list[Cell]) -> Figure:
    groups = by_dataset(cells)
    figure = Figure(figsize=(9, 3.4 * len(groups)), layout="constrained")
    axes = figure.subplots(len(groups), 2, squeeze=False, sharey="row")
    for row, (dataset, group) in zip(axes, groups.items(), strict=True):
        for cell in group:
            p1 = cell.curve["validation_p1"]
            row[0].plot(cell.curve["epoch"], p1, marker="o", markersize=3, label=cell.model)
            row[1].plot(cell.curve["seconds"].cumsum(), p1, marker="o", markersize=3)
        row[0].set(title=dataset, xlabel="epoch", ylabel="validation P@1, %")
        row[1].set(title=dataset, xlabel="seconds of training")
        row[0].legend()
    return figure
