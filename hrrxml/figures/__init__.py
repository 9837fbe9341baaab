"""Figures of the report: one module each, with `draw(cells) -> Figure`."""

from importlib import import_module
from pathlib import Path
from typing import Any

from matplotlib import rc_context

from hrrxml.files import replacing
from hrrxml.results import Cell

NAMES = ("learning_curves", "precision")

STYLE: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "white",
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.hashsalt": "hrrxml",  # the same ids, so the same bytes, on every run
}


def draw(name: str, cells: list[Cell], path: Path) -> None:
    """Write one figure as SVG."""
    with rc_context(STYLE), replacing(path) as temporary:
        figure = import_module(f"hrrxml.figures.{name}").draw(cells)
        figure.savefig(temporary, metadata={"Date": None})
