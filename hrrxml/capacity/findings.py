"""What the measurements say of the paper's claims on capacity, by rule."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from hrrxml.capacity.variants import VARIANTS
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
    for variant in VARIANTS:
        mine = (retrieval["algebra"] == variant.algebra) & (retrieval["variant"] == variant.name)
        by_dim = {int(d): capacity(group, threshold) for d, group in retrieval[mine].groupby("d")}
        slope, _ = np.polyfit(np.log(list(by_dim)), np.log(list(by_dim.values())), 1)
        found.append(Line(variant.label, by_dim, float(slope)))
    return found


def capacity(group: pd.DataFrame, threshold: float) -> int:
    """The largest n up to which the mean error never passes the threshold."""
    ordered = group.sort_values("n")
    too_many = ordered.loc[ordered["error_mean"] > threshold, "n"]
    within = ordered if too_many.empty else ordered[ordered["n"] < too_many.iloc[0]]
    return int(within["n"].max())


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
    linear = [x.label for x in found.values() if abs(x.exponent - 1) <= LINEAR_WITHIN]
    others = [f"{x.label} ({x.exponent:.2f})" for x in found.values() if x.label not in linear]
    return "\n".join(
        [
            f"- *Retrieval improves by over 100×* (abstract, §3.1): the projection holds "
            f"{over_exact.min():.0f} to {over_exact.max():.0f} times the pairs of naive HRR with "
            f"the **exact** inverse, more the larger d. Against naive HRR with Plate's "
            f"**pseudo**-inverse, which costs nothing, it holds {over_pseudo.min():.1f} to "
            f"{over_pseudo.max():.1f} times: nearly all of the gain is the inverse's.",
            f"- *Capacity grows linearly with d, but not for naive HRR* (appendix D.1): within "
            f"{LINEAR_WITHIN} of exponent 1 are {', '.join(linear)}. "
            + (f"Not so {', '.join(others)}. " if others else "")
            + "Naive HRR grows linearly too, unless its inverse is the exact one."
            * (PSEUDO in linear and EXACT not in linear),
        ]
    )
