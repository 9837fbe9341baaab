"""Our head `holographic` beside HRR-FC and other tools."""

from collections.abc import Mapping
from functools import partial
from statistics import mean

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell, by_dataset
from papers.alike import difference
from papers.evidence import Evidence
from papers.finding import Finding, between, listed, require
from papers.significance import SAME
from papers.tools import SUITE, named

TITLE = (
    "No test shows one `holographic-fc` worse than one `hrr-fc`; of three of each, either may lead"
)
OURS, HRR = "holographic-fc", "hrr-fc"
DRAWN = ("fc", HRR, OURS, f"three {HRR}", f"three {OURS}", "best other tool")
Models = dict[str, dict[str, Cell]]  # dataset → model → cell


def find(evidence: Evidence) -> Finding | None:
    models = _models(evidence)
    tested = {name: each for name, each in models.items() if name in evidence.peers}
    if not models or not all(each[OURS].ensemble for each in tested.values()):
        return None
    gaps = [difference(m[OURS], m[HRR], "P@1").among(len(models)) for m in models.values()]
    over = [_three(each[OURS], "P@1") - _best(evidence, name) for name, each in tested.items()]
    better = [gap for gap in gaps if gap.better]
    never_worse = not any(gap.worse for gap in gaps)
    three = [_three(each[HRR], "P@1") - _three(each[OURS], "P@1") for each in tested.values()]
    require(
        never_worse and bool(better) and min(over) > -SAME and min(three) < 0 < max(three), TITLE
    )
    return Finding(
        title=TITLE,
        words=f"One is shown ahead of HRR-FC in P@1 on {len(better)} of {len(gaps)} "
        f"datasets, by {between(gap.gap for gap in better)} points. Three of ours ranked together "
        f"are {_range(over)} points from the best of {named(evidence, tested)} on {len(tested)} "
        "datasets.",
        more=f"{_three_hrr(tested)} Parabel ranks by three trees, too. The head has d' outputs and "
        "label vectors that need no memory, and a shortcut from the sparse features.",
        evidence="Accuracy",
        figure="finding-accuracy",
        alt="P@1 of FC, HRR-FC, holographic-FC, three of each of the last two, and the best tool, "
        "for each dataset",
        draw=partial(draw, evidence, models),
    )


def _models(evidence: Evidence) -> Models:
    """The datasets that have both models."""
    groups = by_dataset(evidence.of_suite(SUITE))
    models = {name: {cell.model: cell for cell in group} for name, group in groups.items()}
    return {name: each for name, each in models.items() if {OURS, HRR} <= set(each)}


def _three(cell: Cell, metric: str) -> float:
    """The mean over choices of three models that rank together."""
    return mean((cell.ensemble or cell.metrics)[metric])


def _best(evidence: Evidence, dataset: str) -> float:
    return mean(evidence.best_tool(dataset, "P@1")[1])


def _range(values: list[float]) -> str:
    return f"{min(values):+.1f} to {max(values):+.1f}"


def _three_hrr(models: Mapping[str, Mapping[str, Cell]]) -> str:
    """The same for HRR-FC, and where three of them lead."""
    gaps = {
        metric: [_three(m[HRR], metric) - _three(m[OURS], metric) for m in models.values()]
        for metric in ("P@1", "P@5", "PSP@1")
    }
    ahead = [name for name, gap in zip(models, gaps["P@1"], strict=True) if gap > 0]
    return (
        f"Three HRR-FCs are {_range(gaps['P@1'])} points from three of ours in P@1 (ahead on "
        f"{listed(ahead)}), {_range(gaps['P@5'])} in P@5 and {_range(gaps['PSP@1'])} in PSP@1."
    )


def draw(evidence: Evidence, models: Models) -> Figure:
    """A row for each dataset, a mark for each model."""
    figure = Figure(figsize=(5.4, 3.4), layout="constrained")
    axis = figure.subplots()
    for name, style in zip(DRAWN, SERIES, strict=False):
        values = {dataset: _p1(evidence, models, dataset, name) for dataset in models}
        known = [(p1, row) for row, p1 in enumerate(values.values()) if p1 is not None]
        axis.scatter(*zip(*known, strict=True), label=name, **style)
    axis.set_yticks(range(len(models)), list(models))
    axis.invert_yaxis()
    axis.set_xlabel("P@1, %")
    figure.legend(loc="outside upper center", ncols=2, fontsize="small")
    return figure


def _p1(evidence: Evidence, models: Models, dataset: str, name: str) -> float | None:
    if name == DRAWN[-1]:
        return _best(evidence, dataset) if dataset in evidence.peers else None
    cell = models[dataset].get(name.removeprefix("three "))
    if cell is None or (name.startswith("three ") and not cell.ensemble):
        return None
    return _three(cell, "P@1") if name.startswith("three ") else cell.mean("P@1")
