"""What the experiment says of Theorem 2.1, from its table."""

import pandas as pd

from hrrxml.config import paths
from hrrxml.experiments.theorem.experiment import WAYS, needed
from hrrxml.report.markdown import markdown_table


def least_dimensions(found: pd.DataFrame, column: str) -> pd.DataFrame:
    """The least tested d from which on every point is right: by labels and size, for each way."""
    cells = found.sort_values("d", ascending=False)
    keys = ["labels", "size", "points", "way"]
    # From the greatest d down, as long as all points are right.
    perfect = cells[cells.groupby(keys)[column].cummin() == 1]
    return perfect.groupby(keys)["d"].min().unstack("way").reindex(columns=list(WAYS))


def markdown(found: pd.DataFrame) -> str:
    apart, ranked = least_dimensions(found, "apart"), least_dimensions(found, "ranked")
    groups = found.groupby(["labels", "size", "points"]).groups
    header = ["labels K", "labels a point s", "min(s log(K·n), s² log K)"]
    rows = [[*header, *(f"apart, {way}" for way in WAYS), *(f"ranked, {way}" for way in WAYS)]]
    for labels, size, points in groups:
        cells = [
            _shown(table, (labels, size, points), way) for table in (apart, ranked) for way in WAYS
        ]
        rows.append([f"{labels}", f"{size}", f"{needed(labels, size, points):.0f}", *cells])
    n, most = found["points"].iloc[0], found["d"].max()
    return "\n\n".join(
        [
            "## GLaS's Theorem 2.1: how few dimensions suffice",
            f"The least d, of those tested up to {most}, at which all {n} points with random label "
            "sets are *apart* (own labels at least 2/3, all others at most 1/3) or *ranked* (own "
            "labels first). Label vectors are random and φ their *sum*, random with φ *fitted* to "
            "each point, or both *learned*.",
            markdown_table(rows),
            _verdict(found, apart),
            f"![theorem](../{paths.figure('theorem', 'theorem')})",
        ]
    )


def _shown(table: pd.DataFrame, key: tuple[int, int, int], way: str) -> str:
    d = table[way].get(key)
    return "–" if d is None or pd.isna(d) else f"{d:.0f}"


def _verdict(found: pd.DataFrame, apart: pd.DataFrame) -> str:
    """The range of the constant that O(·) hides, by way."""
    lines = []
    for way in WAYS:
        ratios = [d / needed(*key) for key, d in apart[way].dropna().items()]
        cells = found.groupby(["labels", "size"]).ngroups
        if ratios:
            said = f"{min(ratios):.2f} to {max(ratios):.2f} times the bound's expression"
            lines.append(
                f"- {way}: all points apart at {said}, in {len(ratios)} of {cells} settings."
            )
        else:
            lines.append(f"- {way}: in none of the settings were all points apart.")
    return "\n".join(lines)
