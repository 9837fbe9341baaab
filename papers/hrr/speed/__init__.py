"""Size and speed: one module for each benchmark, with its table, its figures and its claims."""

from collections.abc import Callable
from itertools import chain
from typing import Any

from matplotlib.figure import Figure

from papers.claim import Claim
from papers.evidence import Evidence
from papers.hrr.speed import (
    algebra,
    encoders,
    growth,
    inference,
    loss,
    neighbours,
    search,
    seeded,
    sizes,
    sparse_input,
    step,
)
from papers.section import Section

# Each has TABLE and `sections`, and, where it draws or claims something, `figures` and CLAIMS.
MODULES: tuple[Any, ...] = (
    sizes,
    step,
    inference,
    encoders,
    algebra,
    search,
    seeded,
    loss,
    sparse_input,
    growth,
    neighbours,
)
CLAIMS: tuple[Claim, ...] = tuple(
    chain.from_iterable(getattr(module, "CLAIMS", ()) for module in MODULES)
)


def sections(evidence: Evidence) -> list[Section]:
    """A section for each benchmark that was run."""
    return list(chain.from_iterable(module.sections(evidence) for module in MODULES))


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    """How to draw each figure whose benchmark was run, by name."""
    drawings: dict[str, Callable[[], Figure]] = {}
    for module in MODULES:
        if hasattr(module, "figures"):
            drawings |= module.figures(evidence)
    return drawings
