"""Training and test accuracy over epochs: GLaS's Figure 1, with and without regularisation."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from hrrxml.drawing import save

COLOURS = {"train": "C0", "test": "C3"}  # the paper's blue and red


def draw(followed: Mapping[str, pd.DataFrame], path: Path) -> None:
    """Write it, if there is anything to show."""
    if followed:
        save(partial(overfitting, followed), path)


def overfitting(followed: Mapping[str, pd.DataFrame]) -> Figure:
    """A panel for each dataset; dashed without regularisation."""
    datasets = list(dict.fromkeys(name.rpartition("-glas-")[0] for name in followed))
    figure = Figure(figsize=(3.6 * len(datasets), 3.4), layout="constrained")
    axes = figure.subplots(1, len(datasets), squeeze=False)[0]
    for axis, dataset in zip(axes, datasets, strict=True):
        for name, curve in followed.items():
            owner, _, kind = name.rpartition("-glas-")
            if owner == dataset:
                means = curve.groupby("epoch")[["train", "test"]].mean()
                style = "--" if kind == "none" else "-"
                for split, colour in COLOURS.items():
                    axis.plot(means[split], style, color=colour, label=f"{split}, {kind}")
        axis.set(title=dataset, xlabel="epoch", ylabel="P@1, %")
    axes[0].legend()
    return figure
