"""P@k and its propensity-scored form against k, on the test split."""

from matplotlib.figure import Figure

from hrrxml.results import Cell, by_dataset

PLACES = (1, 2, 3, 4, 5)


def draw(cells: list[Cell]) -> Figure:
    groups = by_dataset(cells)
    figure = Figure(figsize=(9, 3.4 * len(groups)), layout="constrained")
    axes = figure.subplots(len(groups), 2, squeeze=False)
    for row, (dataset, group) in zip(axes, groups.items(), strict=True):
        for axis, metric in zip(row, ("P", "PSP"), strict=True):
            for cell in group:
                values = [cell.metrics[f"{metric}@{k}"] for k in PLACES]
                axis.plot(PLACES, values, marker="o", markersize=4, label=cell.model)
            axis.set(title=dataset, xlabel="k", ylabel=f"test {metric}@k, %", xticks=PLACES)
        row[0].legend()
    return figure
