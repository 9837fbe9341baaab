"""Parameters of output layer and network, FC against HRR-FC, beside Table 2: not timed."""

from typing import Any

from benchmarks.shapes import SHAPES, Shape
from papers.published import PUBLISHED

HIDDEN = 512  # two layers


def measure() -> dict[str, Any]:
    """Every dataset's counts, biases included, and the percentages saved."""
    return {name: compare(shape) | _published(name) for name, shape in SHAPES.items()}


def compare(shape: Shape) -> dict[str, Any]:
    encoder = (shape.features + 1) * HIDDEN + (HIDDEN + 1) * HIDDEN
    fc, hrr = ((HIDDEN + 1) * outputs for outputs in (shape.labels, shape.dim))
    return {
        "dim": shape.dim,
        "fc_output": fc,
        "hrr_output": hrr,
        "fc_network": encoder + fc,
        "hrr_network": encoder + hrr,
        "output_saved": _saved(fc, hrr),
        "network_saved": _saved(encoder + fc, encoder + hrr),
    }


def _saved(fc: int, hrr: int) -> float:
    return round(100 * (1 - hrr / fc), 2)


def _published(name: str) -> dict[str, float | None]:
    return {
        "published_output_saved": PUBLISHED["table2"].get(name),
        "published_network_saved": PUBLISHED["table2_network"].get(name),
    }
