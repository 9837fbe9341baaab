"""One style for all figures, and SVG files that are the same bytes each time."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

from hrrxml.runtime.files import replacing

STYLE: Any = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.facecolor": "white",
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "svg.hashsalt": "hrrxml",
}

# The colour and marker of each line of a figure, the same in all figures.
SERIES: list[dict[str, Any]] = [
    {"color": f"C{number}", "marker": marker} for number, marker in enumerate("o^sDvPX*")
]


def save(draw: Callable[[], Figure], path: Path) -> None:
    """Draw a figure in the project's style and write it as SVG."""
    with rc_context(STYLE), replacing(path) as temporary:
        draw().savefig(temporary, metadata={"Date": None})
