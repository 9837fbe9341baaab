"""What the measurements say of the paper's claims on capacity, by rule."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hrrxml.capacity.variants import by_variant
from hrrxml.errors import UserError
from hrrxml.markdown import markdown_table

EXACT, PSEUDO, PROJECTED = "hrr, exact inverse", "hrr, pseudo-inverse", "hrr, projected"
# "Linear growth with d": the fitted exponent is this close to 1.
LINEAR_WITHIN = 0.15


@dataclass(frozen=True)
class Line:
    """One variant of Figure 5."""

    label: str
    capacity: dict[int, int]  # by d
    exponent: float  # capacity ∝ d^exponent


def lines(retrieval: pd.DataFrame, threshold: float) -> list[Line]:
    """Capacity at each d, and the slope of its logarithm, for every variant."""
    found = []
    for variant, mine in by_variant(retrieval):
        held = {int(d): capacity(group, threshold) for d, group in mine.groupby("d")}
        slope, _ = np.polyfit(np.log(list(held)), np.log(list(held.values())), 1)
        found.append(Line(variant.label, held, float(slope)))
    return found


def capacity(group: pd.DataFrame, threshold: float) -> int:
    """The largest n up to which the mean error never passes the threshold.

    `group` has growing n. (The schema keeps the threshold where the grid passes it.)
    """
    passed = group["error_mean"].to_numpy() > threshold
    if passed[0]:
        raise UserError(f"capacity.threshold: {threshold} is passed at n = 1 already; raise it")
    first = int(passed.argmax()) if passed.any() else len(passed)
    return int(group["n"].iloc[first - 1])


def markdown(retrieval: pd.DataFrame, threshold: float) -> str:
    """A table of capacities and exponents, then the claims against it."""
    found = {line.label: line for line in lines(retrieval, threshold)}
    dims = sorted(found[PROJECTED].capacity)
    rows = [["pairs held at d =", *map(str, dims), "exponent"]]
    for line in found.values():
        held = [str(line.capacity[d]) for d in dims]
        rows.append([line.label, *held, f"{line.exponent:.2f}"])
    return f"{markdown_table(rows)}\n\n{_claims(found, dims)}"


def _claims(found: dict[str, Line], dims: list[int]) -> str:
    exact, pseudo, projected = (
        np.array([found[label].capacity[d] for d in dims]) for label in (EXACT, PSEUDO, PROJECTED)
    )
    over_exact, over_pseudo = projected / exact, projected / pseudo
    holds = over_exact.max() > 100
    linear = [x.label for x in found.values() if abs(x.exponent - 1) <= LINEAR_WITHIN]
    others = [f"{x.label} ({x.exponent:.2f})" for x in found.values() if x.label not in linear]
    return "\n".join(
        [
            f"- *Retrieval improves by over 100×* (abstract, §3.1): "
            f"{'holds' if holds else 'does not hold'} for d from {dims[0]} to {dims[-1]}. The "
            f"projection holds {over_exact.min():.1f} to {over_exact.max():.1f} times the pairs of "
            f"naive HRR with the **exact** inverse, and {over_pseudo.min():.1f} to "
            f"{over_pseudo.max():.1f} times those of naive HRR with Plate's **pseudo**-inverse.",
            f"- *Capacity grows linearly with d, for all but naive HRR* (appendix D.1): an "
            f"exponent within {LINEAR_WITHIN} of 1 have {', '.join(linear) or 'none'}; not so "
            f"{', '.join(others) or 'none'}.",
        ]
    )
