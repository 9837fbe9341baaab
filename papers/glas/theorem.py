"""GLaS's Theorem 2.1: how few dimensions suffice to tell label sets apart."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import pandas as pd
from matplotlib.figure import Figure

from hrrxml.experiments.theorem import figures as drawings
from hrrxml.experiments.theorem.experiment import WAYS, greatest_length, largest_cosine, needed
from hrrxml.report.markdown import markdown_table
from papers.claim import STATEMENT, Check, Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs

SETTING = ["labels", "size", "points"]
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


@dataclass(frozen=True)
class Growth:
    """From one setting to another with more labels, or with more per point."""

    needed: float  # how many times the theorem's expression grows
    faster: float  # how many times a faster growth is: √K, or s²
    measured: float  # how many times the least d grows; infinite if no tested d suffices


def growths(table: pd.DataFrame, setting: str) -> list[Growth]:
    """From the least to the greatest K, for each s; or from the least to the greatest s.

    The theorem says that some vectors exist, so the best that were found count: learned ones.
    """
    least = least_dimensions(table, "apart")["learned"].to_dict()
    grown = []
    for _, cells in table.groupby([name for name in SETTING if name != setting]):
        values = cells[setting].to_numpy()
        ends = cells[SETTING].iloc[[values.argmin(), values.argmax()]]
        first, last = map(tuple, ends.to_numpy().tolist())
        before, after = least.get(first, math.nan), least.get(last, math.nan)
        if math.isnan(before):  # there is nothing to grow from
            continue
        ratio = float(cells[setting].max() / cells[setting].min())
        grown.append(
            Growth(
                needed=needed(*last) / needed(*first),
                faster=ratio**0.5 if setting == "labels" else ratio**2,
                measured=math.inf if math.isnan(after) else after / before,
            )
        )
    return grown


def _suffices(evidence: Evidence) -> Iterator[Check]:
    """The growth that exceeds the expression's most, in K and in s."""
    if evidence.theorem.empty:
        return
    dims = sorted(evidence.theorem["d"].unique())
    step = max(after / before for before, after in pairwise(dims))
    for setting, symbol in (("labels", "K"), ("size", "s")):
        if grown := growths(evidence.theorem, setting):
            worst = max(grown, key=lambda growth: growth.measured / growth.needed)
            yield _no_faster(f"growing {symbol}", worst, step)


def _no_faster(where: str, growth: Growth, step: float) -> Check:
    """Undecided if the tested d are so far apart that the faster growth would pass, too."""
    most = step * growth.needed
    shown = f"d × {growth.measured:.1f}, expression × {growth.needed:.1f}"
    return Check(where, shown, bool(growth.measured <= most) if most < growth.faster else None)


def _near_and_long(evidence: Evidence) -> Iterator[Check]:
    """Items 1 to 6 at once, for random vectors: at the least d where item 5 says anything."""
    if evidence.theorem.empty:
        return
    fitted = evidence.theorem.query("way == 'fitted'")
    for (labels, size, _), cells in fitted.groupby(SETTING):
        telling = cells[cells["d"].map(partial(largest_cosine, labels)) < 1]
        where = f"K = {labels}, s = {size}"
        apart = telling[telling["apart"] == 1].sort_values("d")
        if apart.empty:
            shown = "apart at no such d" if len(telling) else "any cosine is allowed at each d"
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
        rule="From the least to the greatest K, and from the least to the greatest s, the least d "
        "at which learned vectors tell all label sets apart grows by no more than the expression, "
        "times the ratio of tested d; undecided where a growth as √K or s² would pass, too",
        judge=_suffices,
        needs="the experiment `theorem`",
        remark="A proven bound with a free constant cannot fail at a single setting. Its growth "
        "can be contradicted. The theorem says that some vectors exist: random ones with φ fitted, "
        "which the table has, need more",
    ),
    Claim(
        paper="GLaS",
        place="Theorem 2.1, items 5 and 6",
        kind=STATEMENT,
        says="With O(min(s log(K·n), s² log K)) dimensions, no two labels' cosine exceeds "
        "√(2 log(4K²) / d) and no φ is longer than O(s (log K / d)^¼)",
        published="≤ bound, O(·)",
        rule=f"Random vectors and φ fitted to them keep both bounds, with {LENGTHS} for the "
        "constant of the length, at the least d at which all label sets are apart and the cosine's "
        "bound is less than 1",
        remark="The cosine's bound has no free constant. Learned vectors do not keep it",
        judge=_near_and_long,
        needs="the experiment `theorem`",
    ),
)
