"""Capacity against d, one line for each variant: Figure 5."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hrrxml.experiments.capacity.variants import by_variant
from hrrxml.runtime.errors import UserError

EXACT, PSEUDO, PROJECTED = "hrr, exact inverse", "hrr, pseudo-inverse", "hrr, projected"


@dataclass(frozen=True)
class Line:
    """One variant of Figure 5."""

    label: str
    capacity: dict[int, float]  # by d
    exponent: float  # capacity ∝ d^exponent


def lines(retrieval: pd.DataFrame, threshold: float) -> list[Line]:
    """Capacity at each d, and the slope of its logarithm, for every variant."""
    found = []
    for variant, mine in by_variant(retrieval):
        held = {int(d): capacity(group, threshold) for d, group in mine.groupby("d")}
        found.append(Line(variant.label, held, exponent(held)))
    return found


def capacity(group: pd.DataFrame, threshold: float) -> float:
    """The n at which the mean error first passes the threshold.

    The paper takes the last tested n before; between the two, powers of √2, we interpolate
    on the logarithm of n, so that the grid does not decide the exponent. `group` has growing n.
    """
    n, errors = group["n"].to_numpy(), group["error_mean"].to_numpy()
    passed = errors > threshold
    if passed[0]:
        raise UserError(f"capacity.threshold: {threshold} is passed at n = 1 already; raise it")
    if not passed.any():  # the schema keeps thresholds and dimensions where this cannot be
        raise ValueError(f"errors stay below {threshold} up to n = {n[-1]}")
    after = int(passed.argmax())
    span = slice(after - 1, after + 1)
    return float(np.exp(np.interp(threshold, errors[span], np.log(n[span]))))


def exponent(held: dict[int, float]) -> float:
    """k of held ∝ d^k, fitted by least squares to the logarithms."""
    slope, _ = np.polyfit(np.log(list(held)), np.log(list(held.values())), 1)
    return float(slope)
