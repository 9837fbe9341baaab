"""Whether label vectors should be learned."""

from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell
from papers.alike import difference, dim_of
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, listed, require
from papers.hrr import learned
from papers.published import PUBLISHED
from papers.significance import Difference

TITLE = "At d' = 400, fixed label vectors beat learned ones by far more than published"
LARGE = 400  # d' of the table's largest networks here
Pairs = list[tuple[Cell, Cell]]  # fixed and learned, by dataset and d'


def find(evidence: Evidence) -> Finding | None:
    pairs = learned.studied(evidence)
    if not pairs:
        return None
    gaps = [(fixed, _gap(fixed, free)) for fixed, free in pairs]
    worse = [-gap.gap for _, gap in gaps if gap.worse]
    better = [(fixed, gap) for fixed, gap in gaps if gap.better]
    printed = [fixed - free for _, _, fixed, free in PUBLISHED["table5"]]
    large = [gap for fixed, gap in gaps if dim_of(fixed) == LARGE]
    all_worse = bool(large) and all(gap.worse for gap in large)
    require(all_worse and max(worse) > max(printed), TITLE)
    return Finding(
        title=TITLE,
        words=f"Learned through the projection, they are worse in {len(worse)} of {len(gaps)} "
        f"settings, by {between(worse)} points of P@5 (published: at most {max(printed):.1f}).",
        more=_exceptions(better),
        evidence="HRR Table 5",
        claims=tuple(judged(learned.CLAIMS, b, evidence)["claim"] for b in CLAIMS),
        figure="finding-learned",
        alt="P@5 with learned label vectors less that with fixed ones, against d', by dataset: "
        "mostly below 0, and the lower the larger d'",
        draw=partial(draw, pairs),
    )


CLAIMS = (
    "Learning the label vectors c has no benefit",
    "Learning the label vectors c makes no difference",
)


def _gap(fixed: Cell, free: Cell) -> Difference:
    return difference(free, fixed, "P@5")


def _exceptions(better: list[tuple[Cell, Difference]]) -> str:
    """Where learned vectors are better."""
    if not better:
        return "Nowhere does a test show that they are better."
    where = [f"{fixed.dataset} at d' = {dim_of(fixed)}" for fixed, _ in better]
    return f"They are better on {listed(where)}, by {between(gap.gap for _, gap in better)} points."


def draw(pairs: Pairs) -> Figure:
    figure = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = figure.subplots()
    datasets = dict.fromkeys(fixed.dataset for fixed, _ in pairs)
    for dataset, style in zip(datasets, SERIES, strict=False):
        mine = [pair for pair in pairs if pair[0].dataset == dataset]
        gaps = [_gap(*pair).gap for pair in mine]
        axis.plot([dim_of(fixed) for fixed, _ in mine], gaps, label=dataset, **style)
    axis.axhline(0, color="grey", linestyle=":")
    axis.set(xlabel="d'", ylabel="P@5, learned less fixed, points", xscale="log")
    axis.set_xticks(sorted({dim_of(fixed) for fixed, _ in pairs}))
    axis.xaxis.set_major_formatter("{x:g}")
    axis.minorticks_off()
    axis.legend(fontsize="small")
    return figure
