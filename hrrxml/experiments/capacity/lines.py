"""Capacity against d for each variant: Figure 5."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hrrxml.experiments.capacity.variants import by_variant
from hrrxml.runtime.errors import UserError

EXACT, PSEUDO, PROJECTED = "hrr, exact inverse", "hrr, pseudo-inverse", "hrr, projected"


@dataclass(frozen=True)
class Line:
    """The line of one variant in Figure 5."""

    label: str
    capacity: dict[int, float]  # by d
    exponent: float  # capacity ∝ d^exponent


def lines(retrieval: pd.DataFrame, threshold: float) -> list[Line]:
    """The capacity at each d and the fitted exponent, for every variant."""
    fitted = []
    for variant, rows in by_variant(retrieval):
        capacities = {int(d): capacity(group, threshold) for d, group in rows.groupby("d")}
        fitted.append(Line(variant.label, capacities, exponent(capacities)))
    return fitted


def capacity(group: pd.DataFrame, threshold: float) -> float:
    """The n at which the mean error first exceeds the threshold. `group` is sorted by n.

    The paper takes the last tested n below the threshold. The tested n are powers of √2, so we
    interpolate on the logarithm of n. Then the grid does not decide the exponent.
    """
    n, errors = group["n"].to_numpy(), group["error_mean"].to_numpy()
    exceeds = errors > threshold
    if exceeds[0]:
        raise UserError(f"capacity.threshold: {threshold} is exceeded at n = 1 already; raise it")
    if not exceeds.any():  # cannot happen with the settings that the schema allows
        raise ValueError(f"errors stay below {threshold} up to n = {n[-1]}")
    after = int(exceeds.argmax())
    span = slice(after - 1, after + 1)
    return float(np.exp(np.interp(threshold, errors[span], np.log(n[span]))))


def exponent(capacities: dict[int, float]) -> float:
    """k in capacity ∝ d^k, fitted by least squares to the logarithms."""
    slope, _ = np.polyfit(np.log(list(capacities)), np.log(list(capacities.values())), 1)
    return float(slope)
