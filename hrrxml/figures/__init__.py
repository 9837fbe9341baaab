"""Figures of the runs: one module each, with `draw(cells) -> Figure`."""

from functools import partial
from importlib import import_module
from pathlib import Path

from hrrxml.drawing import save
from hrrxml.results import Cell

NAMES = ("learning_curves", "precision")


def draw(name: str, cells: list[Cell], path: Path) -> None:
    """Write one figure as SVG."""
    save(partial(import_module(f"hrrxml.figures.{name}").draw, cells), path)
