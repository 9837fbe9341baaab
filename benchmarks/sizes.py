"""Parameters of the output layer and of the network, FC against HRR-FC, as in Table 2."""

from typing import Any

from benchmarks.models import HIDDEN
from benchmarks.shapes import Shape, shapes


def measure() -> dict[str, Any]:
    """Every dataset's counts, biases included, and the percentages saved."""
    return {name: _compare(shape) for name, shape in shapes().items()}


def _compare(shape: Shape) -> dict[str, Any]:
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
