"""GLaS's Theorem 2.1: how few dimensions suffice to tell label sets apart."""

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd
from matplotlib.figure import Figure

from hrrxml.experiments.theorem import figures as drawings
from hrrxml.experiments.theorem.experiment import WAYS, greatest_length, largest_cosine, needed
from hrrxml.report.markdown import markdown_table
from papers.claim import STATEMENT, Check, Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs

SETTING = ["labels", "size", "points"]
CONSTANT = 4  # what O(·) may hide in d, which was tested in powers of 2
LENGTHS = 2  # what O(·) may hide in the length of φ
REMARK = (
    "The least d, of those tested up to {most}, at which all {points} points with random label "
    "sets are *apart* (own labels at least 2/3, all others at most 1/3) or *ranked* (own labels "
    "first). Label vectors are random and φ is their *sum*, or random with φ *fitted* to each "
    "point, or both are *learned*."
)


def sections(evidence: Evidence) -> list[Section]:
    table = evidence.theorem
    if table.empty:
        return []
    least = [least_dimensions(table, column) for column in ("apart", "ranked")]
    header = ["labels K", "labels per point s", "min(s log(K·n), s² log K)"]
    rows = [[*header, *(f"{column}, {way}" for column in ("apart", "ranked") for way in WAYS)]]
    for labels, size, points in table.groupby(SETTING).groups:
        dims = [each[way].get((labels, size, points)) for each in least for way in WAYS]
        shown = ["–" if d is None or pd.isna(d) else f"{d:.0f}" for d in dims]
        rows.append([f"{labels}", f"{size}", f"{needed(labels, size, points):.0f}", *shown])
    remark = REMARK.format(points=table["points"].iloc[0], most=table["d"].max())
    link = "![Share of points apart against d](figures/theorem.svg)"
    body = paragraphs([remark, markdown_table(rows), link])
    return [Section("GLaS", "Theorem 2.1", "how few dimensions suffice", body)]


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    table = evidence.theorem
    return {} if table.empty else {"theorem": partial(drawings.figure, table)}


def least_dimensions(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """The least tested d from which on every point is right, by setting, for each way."""
    cells = table.sort_values("d", ascending=False)
    keys = [*SETTING, "way"]
    # From the greatest d down, as long as all points are right.
    perfect = cells[cells.groupby(keys)[column].cummin() == 1]
    return perfect.groupby(keys)["d"].min().unstack("way").reindex(columns=list(WAYS))


def _suffices(evidence: Evidence) -> Iterator[Check]:
    if evidence.theorem.empty:
        return
    least = least_dimensions(evidence.theorem, "apart")["learned"]
    for key in evidence.theorem.groupby(SETTING).groups:
        labels, size, points = key
        bound, d = needed(labels, size, points), least.get(key, float("nan"))
        shown = f"d = {d:.0f}, expression {bound:.0f}" if d == d else "at no d"
        yield Check(f"K = {labels}, s = {size}", shown, bool(d <= CONSTANT * bound))


def _near_and_long(evidence: Evidence) -> Iterator[Check]:
    """All items at once, for random vectors: at the least d where item 5 says anything."""
    if evidence.theorem.empty:
        return
    fitted = evidence.theorem.query("way == 'fitted'")
    for (labels, size, points), cells in fitted.groupby(SETTING):
        dims = cells[cells["d"] <= CONSTANT * needed(labels, size, points)]
        telling = dims[dims["d"].map(partial(largest_cosine, labels)) < 1]
        where = f"K = {labels}, s = {size}"
        apart = telling[telling["apart"] == 1].sort_values("d")
        if apart.empty:
            shown = "apart at no such d" if len(telling) else "any cosine is allowed at such d"
            yield Check(where, shown, False if len(telling) else None)
        else:
            yield _within_bounds(where, labels, size, apart.iloc[0])


def _within_bounds(where: str, labels: int, size: int, cell: pd.Series) -> Check:
    cosine, length = largest_cosine(labels, cell["d"]), greatest_length(labels, size, cell["d"])
    shown = (
        f"cosine {cell['cosine']:.2f} (bound {cosine:.2f}), "
        f"length {cell['length']:.2f} (expression {length:.2f})"
    )
    within = cell["cosine"] <= cosine and cell["length"] <= LENGTHS * length
    return Check(f"{where}, d = {cell['d']}", shown, bool(within))


CLAIMS = (
    Claim(
        paper="GLaS",
        place="Theorem 2.1, items 1 to 4",
        kind=STATEMENT,
        says="min(s log(K·n), s² log K) dimensions suffice, up to a constant",
        published="O(·)",
        rule=f"With learned vectors, all random label sets are apart at {CONSTANT} times "
        "min(s log(K·n), s² log K) dimensions",
        judge=_suffices,
        needs="the experiment `theorem`",
    ),
    Claim(
        paper="GLaS",
        place="Theorem 2.1, items 5 and 6",
        kind=STATEMENT,
        says="With O(min(s log(K·n), s² log K)) dimensions, no two labels' cosine exceeds "
        "√(2 log(4K²) / d) and no φ is longer than O(s (log K / d)^¼)",
        published="≤ bound, O(·)",
        rule=f"Random vectors and φ fitted to them keep both bounds, with {LENGTHS} for the "
        f"constant of the length, at the least d (up to {CONSTANT} times the expression) at which "
        "all label sets are apart and the cosine's bound is less than 1",
        judge=_near_and_long,
        needs="the experiment `theorem`",
    ),
)
