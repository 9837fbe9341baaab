"""Figures of the runs: one module each, with `draw(cells) -> Figure`."""

from functools import partial
from importlib import import_module
from pathlib import Path

from hrrxml.drawing import save
from hrrxml.results import Cell

ALL = {  # and what each shows
    "learning_curves": "Validation P@1 against epochs and against seconds of training",
    "precision": "P@k and PSP@k against k",
}


def draw(name: str, cells: list[Cell], path: Path) -> None:
    """Write one figure as SVG."""
    save(partial(import_module(f"hrrxml.figures.{name}").draw, cells), path)
