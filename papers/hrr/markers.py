"""Figure 8: p and m, which mark labels as present and absent, fixed or learned (§5.5)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell, measured
from papers.alike import compare, difference, dim_of, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.rules import is_better, is_same
from papers.section import Section
from papers.significance import Difference
from papers.table import table

SMALL = 400  # d' up to which the paper prefers fixed p and m
METRICS = ("P@1", "P@3", "P@5")
LOSS = "absolute"  # eq. 6 + |eq. 7|
REMARK = (
    "Fixed less learned: above 0, fixed ones are better, as in the paper's figure. Settings are "
    "tuned, label vectors are stored. *Projected* p and m are learned through the projection, as "
    "§5.5 does with all learned vectors; *free* ones are not projected, as in the authors' code. "
    "cos(p, m) is that of the learned vectors in the last epoch, mean over seeds. A star marks a "
    "difference that a test over seeds and test points shows."
)
SIGNED = (
    "The same with eq. 7 as printed, without bars. It is least at cos = −1, and learned p and m "
    "reach that by m = −p, whatever the labels. So they gain over fixed ones at small d', where "
    "the fixed ones pay for the missing bars:"
)
Pairs = list[tuple[Cell, Cell]]


def studied(evidence: Evidence, *, loss: str = LOSS, projected: bool = True) -> Pairs:
    """Pairs of fixed and learned p and m that are otherwise alike, by dataset and d'."""
    cells = [cell for cell in evidence.all_cells if _is_of(cell, loss)]
    # Fixed p and m are never projected again, so `project_pm` says nothing of them.
    both = pairs(cells, "hrr", learn_pm=(False, True), project_pm=(True, projected))
    return sorted(both, key=lambda pair: (pair[0].dataset, dim_of(pair[0])))


def _is_of(cell: Cell, loss: str) -> bool:
    hrr = cell.settings.get("hrr", {})
    return hrr.get("loss") == loss and hrr["codebook"] == "random"


def sections(evidence: Evidence) -> list[Section]:
    rows = _rows(evidence, LOSS)
    signed = _rows(evidence, "signed")
    link = "![Fixed less learned p and m, by d'](figures/figure8.svg)"
    more = [SIGNED, table(signed, text=1)] if len(signed) > 1 else []
    return section("Figure 8", "p and m fixed or learned", REMARK, rows, link, *more)


def _rows(evidence: Evidence, loss: str) -> list[list[str | Difference]]:
    header = ["dataset", "d'", "learned", "P@1, fixed", *METRICS, "cos(p, m)"]
    rows: list[list[str | Difference]] = [[*header]]
    for projected in (True, False):
        for fixed, learned in studied(evidence, loss=loss, projected=projected):
            how = "projected" if projected else "free"
            gaps = [difference(fixed, learned, metric) for metric in METRICS]
            shown = [str(dim_of(fixed)), how, measured(fixed.metrics["P@1"])]
            rows.append([fixed.dataset, *shown, *gaps, _cosine(learned)])
    return rows


def _cosine(cell: Cell) -> str:
    """cos(p, m) in the last epoch of each seed; – in a record without it."""
    if "marker_cosine" not in cell.curve:
        return "–"
    return f"{cell.curve.groupby('seed')['marker_cosine'].last().mean():+.2f}"


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    both = studied(evidence)
    return {"figure8": partial(draw, both, METRICS, width=10.0)} if both else {}


def draw(both: Pairs, metrics: Sequence[str], width: float) -> Figure:
    """A panel for each metric, a line for each dataset, with 95% intervals."""
    datasets = dict.fromkeys(fixed.dataset for fixed, _ in both)
    figure = Figure(figsize=(width, 3.2), layout="constrained")
    (axes,) = figure.subplots(1, len(metrics), sharey=True, squeeze=False)
    for axis, metric in zip(axes, metrics, strict=True):
        axis.axhline(0, color="grey", linestyle=":")
        for dataset, style in zip(datasets, SERIES, strict=False):
            mine = [pair for pair in both if pair[0].dataset == dataset]
            gaps = [difference(*pair, metric) for pair in mine]
            reach = [gap.gap - gap.interval[0] if gap.error is not None else 0 for gap in gaps]
            dims = [dim_of(fixed) for fixed, _ in mine]
            label = dataset if metric == metrics[0] else None
            axis.errorbar(dims, [gap.gap for gap in gaps], reach, label=label, **style)
        axis.set(xlabel="d'", xscale="log", title=metric)
    figure.axes[0].set_ylabel("fixed less learned, points")
    figure.legend(loc="outside right upper")
    return figure


def _fixed(evidence: Evidence, *, small: bool) -> Iterator[Check]:
    for fixed, learned in studied(evidence):
        if (dim_of(fixed) <= SMALL) == small:
            where = f"{fixed.dataset}, d' = {dim_of(fixed)}"
            yield compare(where, fixed, learned, "P@5", is_better if small else is_same)


CLAIMS = (
    statement(
        place="§5.5, Figure 8",
        says=f"p and m are better fixed at d' ≤ {SMALL}",
        published="fixed better",
        rule="P@5 with fixed p and m is better than with learned ones that are projected",
        judge=partial(_fixed, small=True),
    ),
    statement(
        place="§5.5, Figure 8",
        says=f"Learning p and m has no impact at d' > {SMALL}",
        published="no impact",
        rule="P@5 is the same with fixed and learned ones (two one-sided tests, margin 1 point)",
        judge=partial(_fixed, small=False),
    ),
)
