"""Training and test accuracy over epochs: GLaS's Figure 1, with and without regularisation."""

from functools import partial
from pathlib import Path

from matplotlib.figure import Figure

from hrrxml.drawing import save
from hrrxml.results import Followed

COLOURS = {"train": "C0", "test": "C3"}  # the paper's blue and red


def draw(followed: list[Followed], path: Path) -> None:
    """Write it, if there is anything to show."""
    if followed:
        save(partial(overfitting, followed), path)


def overfitting(followed: list[Followed]) -> Figure:
    """A panel for each dataset; dashed without regularisation."""
    datasets = list(dict.fromkeys(run.dataset for run in followed))
    figure = Figure(figsize=(3.6 * len(datasets), 3.4), layout="constrained")
    axes = dict(zip(datasets, figure.subplots(1, len(datasets), squeeze=False)[0], strict=True))
    for run in followed:
        axis = axes[run.dataset]
        means = run.curve.groupby("epoch")[["train", "test"]].mean()
        style = "--" if run.model == "glas-none" else "-"
        kind = run.model.removeprefix("glas-")
        for split, colour in COLOURS.items():
            axis.plot(means[split], style, color=colour, label=f"{split}, {kind}")
        axis.set(title=run.dataset, xlabel="epoch", ylabel="P@1, %")
    axes[datasets[0]].legend()
    return figure
