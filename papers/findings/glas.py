"""What GLaS's regulariser adds."""

from functools import partial
from statistics import mean

from matplotlib.figure import Figure

from papers.alike import difference
from papers.claim import HOLDS, IN_PART, SEEN, SEEN_IN_PART
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, listed, require
from papers.glas import tables
from papers.glas.tables import BASE, PRINTED
from papers.significance import Difference
from papers.training import length

TITLE = "GLaS overfits as it says; its regulariser shows no gain in P@1"
NONE = "glas-none-fc"
FITTED = 98  # P@1 on training points that counts as nearly perfect


def find(evidence: Evidence) -> Finding | None:
    gains = _gains(evidence)
    plain = [run for run in evidence.followed if run.model == "glas-none"]
    if not gains or not plain:
        return None
    overfits = judged(tables.CLAIMS, "Embeddings without regularisation", evidence)
    gain = judged(tables.CLAIMS, "The GLaS regulariser gains over no", evidence)
    shown = [dataset for dataset, gap in gains.items() if gap.shows]
    compared = [evidence.cells[f"{dataset}-{model}"] for dataset in gains for model in (BASE, NONE)]
    unfinished = [cell.name for cell in compared if length(cell).is_unfinished]
    fixed = all(length(cell).patience is None for cell in compared)
    require(fixed and all(gap.points is None for gap in gains.values()), TITLE)
    seen = overfits["verdict"] in (HOLDS, IN_PART, SEEN, SEEN_IN_PART)
    require(seen and not shown, TITLE)
    fitted = [run for run in plain if mean(run.last("train")) >= FITTED]
    gaps = [mean(run.gaps) for run in plain]
    printed = PRINTED["table1"]["regulariser"]
    labels = [evidence.n_labels()[dataset] for dataset in gains]
    return Finding(
        title=TITLE,
        words=f"Without regularisation, P@1 is {between(gaps, 0)} points lower on test points than "
        f"on training points. The regulariser changes it by {_signed(gains)}; no test over seeds "
        "shows a gain. Losses are mining or softmax, not eq. 1, and epochs are fixed.",
        more=f"Of the {len(compared)} runs behind it, {listed(unfinished)} were still improving "
        "when they stopped. Their test points were not recorded. "
        f"Without regularisation, {len(fitted)} of {len(plain)} datasets reach {FITTED}% and "
        "more on their training points. The published gain on AmazonCat-13K is "
        f"{printed['glas'] - printed['none']:+.2f}. None of GLaS's datasets is here; ours are "
        f"{listed(list(gains))}, with {between(labels, 0)} labels.",
        evidence="GLaS Table 1",
        claims=(overfits["claim"], gain["claim"]),
        figure="finding-glas",
        alt="What the regulariser adds to P@1, with 95% intervals that all include 0, beside the "
        "published gain",
        draw=partial(draw, gains),
    )


def _gains(evidence: Evidence) -> dict[str, Difference]:
    """P@1 with the regulariser less that without, by dataset."""
    pairs = [
        (cell, other)
        for cell in evidence.all_cells
        if cell.model == BASE and (other := evidence.cells.get(f"{cell.dataset}-{NONE}"))
    ]
    return {cell.dataset: difference(cell, other, "P@1").among(len(pairs)) for cell, other in pairs}


def _signed(gains: dict[str, Difference]) -> str:
    ordered = sorted(gap.gap for gap in gains.values())
    return f"{ordered[0]:+.1f} to {ordered[-1]:+.1f}"


def draw(gains: dict[str, Difference]) -> Figure:
    """Our gains with their intervals, and the published one."""
    figure = Figure(figsize=(5.4, 2.6), layout="constrained")
    axis = figure.subplots()
    for place, gap in enumerate(gains.values()):
        low, high = gap.interval
        axis.errorbar(gap.gap, place, xerr=[[gap.gap - low], [high - gap.gap]], fmt="o", color="C0")
    printed = PRINTED["table1"]["regulariser"]
    axis.scatter(printed["glas"] - printed["none"], len(gains), color="black", marker="x")
    axis.set_yticks(range(len(gains) + 1), [*gains, "AmazonCat-13K,\npublished"])
    axis.axvline(0, color="grey", linestyle=":")
    axis.set_xlabel("P@1 with the regulariser less without, points")
    axis.set_ylim(-0.5, len(gains) + 0.5)
    return figure
