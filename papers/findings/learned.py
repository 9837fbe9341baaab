"""What becomes of label vectors that are learned."""

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

TITLE = "Learned label vectors collapse unless d' is small"
Pairs = list[tuple[Cell, Cell]]  # fixed and learned, by dataset and d'


def find(evidence: Evidence) -> Finding | None:
    pairs = learned.studied(evidence)
    if not pairs:
        return None
    gaps = [(fixed, free, _gap(fixed, free).among(len(pairs))) for fixed, free in pairs]
    collapsed = [each for each in gaps if learned.has_collapsed(evidence, each[1])]
    others = [each for each in gaps if each not in collapsed]
    require(bool(collapsed) and not any(gap.better for *_, gap in collapsed), TITLE)
    dims = {fixed.dataset: dim_of(fixed) for fixed, *_ in reversed(collapsed)}
    above = [f"from d' = {dim} on with {dataset}" for dataset, dim in dims.items()]
    require(_is_threshold(others, dims), TITLE)
    return Finding(
        title=TITLE,
        words=f"In {len(collapsed)} of {len(gaps)} settings ({listed(above)}), nearly every label "
        f"comes to answer every point: {_how(evidence, [free for _, free, _ in collapsed])}",
        more=f"Learned vectors are then {between(-gap.gap for *_, gap in collapsed)} points of P@5 "
        f"below fixed ones. {_others(others)} The paper reports no collapse, and differences of "
        f"{_printed()}: so these runs are no test of its Table 5.",
        evidence="HRR Table 5",
        claims=tuple(judged(learned.CLAIMS, b, evidence)["claim"] for b in CLAIMS),
        figure="finding-learned",
        alt="P@5 with learned label vectors less that with fixed ones, against d', by dataset: "
        "above 0 at the two smallest d' of Bibtex, below 0 elsewhere, where the vectors collapse",
        draw=partial(draw, pairs),
    )


CLAIMS = (
    "Learning the label vectors c has no benefit",
    "Learning the label vectors c makes no difference",
)


def _gap(fixed: Cell, free: Cell) -> Difference:
    return difference(free, fixed, "P@5")


def _is_threshold(others: list[tuple[Cell, Cell, Difference]], dims: dict[str, int]) -> bool:
    """Whether all settings that do not collapse have a smaller d' than those that do."""
    return all(dim_of(fixed) < dims.get(fixed.dataset, 0) for fixed, *_ in others)


def _how(evidence: Evidence, collapsed: list[Cell]) -> str:
    """The loss, and what a threshold selects."""
    left = [100 * last / first for first, last in map(learned.losses, collapsed)]
    shares = [100 * (learned.selected(evidence, cell) or 0) for cell in collapsed]
    precision = [value for c in collapsed for value in (c.at_threshold or {})["precision"]]
    return (
        f"training leaves {between(left, 0)}% of the first epoch's loss, and a threshold of 0.5 "
        f"selects {between(shares, 0)}% of all labels, of which {between(precision)}% are right."
    )


def _others(others: list[tuple[Cell, Cell, Difference]]) -> str:
    """Where they do not collapse, and a test shows that they are better."""
    better = [(fixed, gap) for fixed, _, gap in others if gap.better]
    if not better:
        return "Nowhere does a test show that they are better."
    where = [f"{fixed.dataset} at d' = {dim_of(fixed)}" for fixed, _ in better]
    return f"They are better on {listed(where)}, by {between(gap.gap for _, gap in better)} points."


def _printed() -> str:
    gaps = sorted(free - fixed for _, _, fixed, free in PUBLISHED["table5"])
    return f"{gaps[0]:+.2f} to {gaps[-1]:+.2f}"


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
