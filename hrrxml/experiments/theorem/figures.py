"""The figure of separable label sets against d, relative to the theorem's bound."""

import pandas as pd
from matplotlib.figure import Figure

from hrrxml.experiments.theorem.experiment import WAYS, needed


def figure(fits: pd.DataFrame) -> Figure:
    """The share of points that are apart against d / min(s log(K·n), s² log K)."""
    panels = Figure(figsize=(13.5, 3.6), layout="constrained")
    for axis, way in zip(panels.subplots(1, len(WAYS), sharey=True), WAYS, strict=True):
        part = fits[fits["way"] == way]
        for (labels, size, points), cells in part.groupby(["labels", "size", "points"]):
            x = cells["d"] / needed(labels, size, points)
            axis.plot(x, 100 * cells["apart"], marker=".", label=f"K = {labels}, s = {size}")
        axis.set(title=way, xlabel="d / min(s log(K·n), s² log K)", xscale="log")
    panels.axes[0].set_ylabel("points apart by 1/3, %")
    panels.axes[-1].legend(fontsize="small")
    return panels
