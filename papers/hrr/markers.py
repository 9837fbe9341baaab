"""Figure 8: p and m, which mark labels as present and absent, fixed or learned (§5.5)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell
from hrrxml.report.significance import paired
from papers.alike import compare, dim_of, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.rules import is_better, is_same
from papers.section import Section

SMALL = 400  # d' up to which the paper prefers fixed p and m
METRICS = ("P@1", "P@3", "P@5")
REMARK = (
    "Fixed less learned: above 0, fixed ones are better, as in the paper's figure. Settings are "
    "tuned. Differences are paired by seed; a star marks one that a test shows."
)
DOUBT = (
    "In doubt: these runs have eq. 7 as printed, without bars, and learned p and m can lower it by "
    "m = −p. They will be run again with |cos|"
)


def studied(evidence: Evidence) -> list[tuple[Cell, Cell]]:
    """Pairs of fixed and learned p and m that are otherwise alike, by dataset and d'."""
    both = pairs(evidence.all_cells, "hrr", learn_pm=(False, True))
    return sorted(both, key=lambda pair: (pair[0].dataset, dim_of(pair[0])))


def sections(evidence: Evidence) -> list[Section]:
    rows = [["dataset", "d'", *METRICS, "seeds"]]
    for fixed, learned in studied(evidence):
        gaps = [paired(fixed.metrics[m], learned.metrics[m]) for m in METRICS]
        shown = [gap.short for gap in gaps]
        rows.append([fixed.dataset, str(dim_of(fixed)), *shown, str(gaps[0].n)])
    link = "![Fixed less learned p and m, by d'](figures/figure8.svg)"
    return section("Figure 8", "p and m fixed or learned", f"{REMARK}\n\n**{DOUBT}.**", rows, link)


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    both = studied(evidence)
    return {"figure8": partial(draw, both, METRICS, width=10.0)} if both else {}


def draw(both: list[tuple[Cell, Cell]], metrics: Sequence[str], width: float) -> Figure:
    """A panel for each metric, a line for each dataset, with the deviation of the gaps."""
    datasets = dict.fromkeys(fixed.dataset for fixed, _ in both)
    figure = Figure(figsize=(width, 3.2), layout="constrained")
    (axes,) = figure.subplots(1, len(metrics), sharey=True, squeeze=False)
    for axis, metric in zip(axes, metrics, strict=True):
        axis.axhline(0, color="grey", linestyle=":")
        for dataset, style in zip(datasets, SERIES, strict=False):
            mine = [pair for pair in both if pair[0].dataset == dataset]
            gaps = [paired(fixed.metrics[metric], free.metrics[metric]) for fixed, free in mine]
            spreads = [gap.spread or 0 for gap in gaps]
            dims = [dim_of(fixed) for fixed, _ in mine]
            label = dataset if metric == metrics[0] else None
            axis.errorbar(dims, [gap.gap for gap in gaps], spreads, label=label, **style)
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
        rule="P@5 with fixed p and m is better by a paired test",
        judge=partial(_fixed, small=True),
        remark=DOUBT,
    ),
    statement(
        place="§5.5, Figure 8",
        says=f"Learning p and m has no impact at d' > {SMALL}",
        published="no impact",
        rule="P@5 is the same with fixed and learned ones (two one-sided tests, margin 1 point)",
        judge=partial(_fixed, small=False),
        remark=DOUBT,
    ),
)
