"""What binding and the projection are worth."""

from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell
from papers.alike import difference
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, require
from papers.hrr import controls
from papers.significance import SAME

TITLE = "Projection and binding are not what makes it work"
HARMLESS = ("unbound", "unprojected")
EXACT, SQUARED = "unprojected-exact", "mse"
BROKEN = 5.0  # points of P@1 that a model has to lose to count as broken
Pairs = list[tuple[Cell, Cell]]  # the usual cell and the control, by dataset


def find(evidence: Evidence) -> Finding | None:
    studied = {name: controls.studied(evidence, name) for name in (*HARMLESS, EXACT, SQUARED)}
    if not all(studied.values()):
        return None
    harmless = [abs(_gap(pair)) for name in HARMLESS for pair in studied[name]]
    broken = [_broken(pair) for pair in studied[EXACT]]
    seeds = {seed for each in broken for seed in each}
    require(max(harmless) < SAME and all(each == seeds for each in broken), TITLE)
    trained = studied[EXACT][0][1].seeds
    squared = [-_gap(pair) for pair in studied[SQUARED]]
    return Finding(
        title=TITLE,
        words=f"Leaving out one or the other changes mean P@1 by at most {max(harmless):.1f} "
        f"points. It breaks only with the exact inverse of eq. 2, there with {len(seeds)} of "
        f"{trained} seeds.",
        more=f"That is so on {len(studied['unbound'])} datasets ({len(studied[EXACT])} with the "
        "exact inverse, and what breaks on one of them breaks on all). What does matter is the "
        f"loss: squared error to eq. 5 costs {between(squared, 0)} points.",
        evidence="HRR §4 and §5.5",
        claims=tuple(
            judged(controls.CLAIMS, begins, evidence)["claim"]
            for begins in ("Without the projection nothing", "Squared error")
        ),
        figure="finding-parts",
        alt="Change in P@1 of every seed, by dataset. Without binding and without the projection "
        "all lie near 0; with the exact inverse a few fall far; squared error loses everything",
        draw=partial(draw, studied),
    )


def _gap(pair: tuple[Cell, Cell]) -> float:
    usual, control = pair
    return difference(control, usual, "P@1").gap


def _changes(pair: tuple[Cell, Cell]) -> list[float]:
    """What the control changes in P@1, by seed."""
    usual, control = (cell.metrics["P@1"] for cell in pair)
    return [after - before for before, after in zip(usual, control, strict=False)]


def _broken(pair: tuple[Cell, Cell]) -> set[int]:
    return {seed for seed, change in enumerate(_changes(pair)) if change < -BROKEN}


def draw(studied: dict[str, Pairs]) -> Figure:
    """A row for each control, a mark for each seed and dataset."""
    figure = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = figure.subplots()
    titles = ["no binding", "no projection, p*", "no projection, p†", "squared error"]
    datasets = list(dict.fromkeys(usual.dataset for usual, _ in studied[HARMLESS[0]]))
    for row, pairs in enumerate(studied.values()):
        for pair in pairs:
            number = datasets.index(pair[0].dataset)
            changes, height = _changes(pair), row + 0.13 * (number - len(datasets) / 2)
            label = pair[0].dataset if row == 0 else None
            style = SERIES[number] | {"s": 14}
            axis.scatter(changes, [height] * len(changes), label=label, **style)
    axis.set_yticks(range(len(titles)), titles)
    axis.invert_yaxis()
    axis.set_xlabel("change in P@1 of each seed, points")
    axis.legend(loc="upper left", fontsize="small")
    return figure
