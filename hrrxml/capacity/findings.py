"""What the measurements say of the paper's claims on capacity, by rule."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hrrxml.capacity import theory
from hrrxml.capacity.variants import by_variant
from hrrxml.errors import UserError
from hrrxml.markdown import markdown_table

EXACT, PSEUDO, PROJECTED = "hrr, exact inverse", "hrr, pseudo-inverse", "hrr, projected"
NEAR = 0.1  # of the closed form's exponent: growth as predicted


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


def markdown(retrieval: pd.DataFrame, threshold: float) -> str:
    """A table of capacities and exponents, then the claims against it."""
    found = {line.label: line for line in lines(retrieval, threshold)}
    dims = sorted(found[PROJECTED].capacity)
    rows = [["pairs held at d =", *map(str, dims), "exponent"]]
    predicted = {d: theory.capacity(d, threshold) for d in dims}
    for line in [*found.values(), Line("predicted", predicted, exponent(predicted))]:
        held = [f"{line.capacity[d]:.1f}" for d in dims]
        rows.append([line.label, *held, f"{line.exponent:.2f}"])
    return f"{markdown_table(rows)}\n\n{_claims(found, dims, exponent(predicted))}"


def _claims(found: dict[str, Line], dims: list[int], predicted: float) -> str:
    exact, pseudo, projected = (
        np.array([found[label].capacity[d] for d in dims]) for label in (EXACT, PSEUDO, PROJECTED)
    )
    over_exact, over_pseudo = projected / exact, projected / pseudo
    holds = over_exact.max() > 100
    as_predicted = [x for x in found.values() if abs(x.exponent - predicted) <= NEAR]
    others = [x for x in found.values() if x not in as_predicted]
    return "\n".join(
        [
            f"- *Retrieval improves by over 100×* (abstract, §3.1): "
            f"{'holds' if holds else 'does not hold'} for d from {dims[0]} to {dims[-1]}. The "
            f"projection holds {over_exact.min():.1f} to {over_exact.max():.1f} times the pairs of "
            f"naive HRR with the **exact** inverse, and {over_pseudo.min():.1f} to "
            f"{over_pseudo.max():.1f} times those of naive HRR with Plate's **pseudo**-inverse.",
            f"- *Capacity grows linearly with d, for all but naive HRR* (appendix D.1): linear "
            f"growth has exponent 1; the closed form, where distractors grow with the pairs, "
            f"{predicted:.2f} over these d. Within {NEAR} of the latter are "
            f"{_named(as_predicted)}; not so {_named(others)}.",
        ]
    )


def _named(lines: list[Line]) -> str:
    return ", ".join(f"{line.label} ({line.exponent:.2f})" for line in lines) or "none"
