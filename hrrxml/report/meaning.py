"""What the numbers of a run mean, in words."""

from collections.abc import Iterable, Mapping
from typing import Any

from hrrxml.config.schema import Run
from hrrxml.report import chance
from hrrxml.report.results import HEADLINES, Cell, guessing

BASELINE = "bce"  # the head with one output per label
LEVEL = 0.05  # probability that models of equal quality count as different


def sentences(cells: list[Cell], runs: Mapping[str, Run], facts: Mapping[str, Any]) -> list[str]:
    """About the runs on one dataset. `facts` are the dataset's statistics.

    Models are level where another seed could change their order.
    """
    leaders = [_leader(cells, metric) for metric in HEADLINES]
    pairs = [_comparison(model, baseline) for model, baseline in _pairs(cells, runs)]
    return [_scale(cells, facts), f"The best model is {', '.join(leaders)}.", *pairs]


def _scale(cells: list[Cell], facts: Mapping[str, Any]) -> str:
    best = max(cell.mean("P@1") for cell in cells)
    label = facts["commonest_labels"][0][0]
    return (
        f"P@1 of {best:.2f} means that the first of {facts['labels']:,} labels is right for "
        f"{best:.0f} of 100 test points. Always answering “{label}” would be right for "
        f"{guessing(facts):.0f}."
    )


def _leader(cells: list[Cell], metric: str) -> str:
    first, *others = sorted(cells, key=lambda cell: -cell.mean(metric))
    level = [cell.model for cell in others if _is_level(cell, first, metric)]
    verb = "is" if len(level) == 1 else "are"
    rivals = f"; {' and '.join(level)} {verb} level" if level else ""
    return f"{first.model} by {metric} ({first.mean(metric):.2f}{rivals})"


def _pairs(cells: list[Cell], runs: Mapping[str, Run]) -> Iterable[tuple[Cell, Cell]]:
    """The best model of each head, and the best baseline with the same encoder."""
    best: dict[tuple[str, str], Cell] = {}
    for cell in cells:
        kind = (runs[cell.name].encoder, runs[cell.name].head)
        if kind not in best or cell.mean("P@1") > best[kind].mean("P@1"):
            best[kind] = cell
    for (encoder, head), cell in best.items():
        if head != BASELINE and (encoder, BASELINE) in best:
            yield cell, best[encoder, BASELINE]


def _comparison(model: Cell, baseline: Cell) -> str:
    """Such as `hrr-fc has 11% of fc's output weights: P@1 4.69 higher, P@5 level (+0.10)`."""
    share = model.parameters["output"] / baseline.parameters["output"]
    size = f"{100 * share:.2g}% of" if share < 0.995 else f"{share:.2g} times"
    gaps = []
    for metric in HEADLINES:
        gap = model.mean(metric) - baseline.mean(metric)
        word = "higher" if gap > 0 else "lower"
        level = _is_level(model, baseline, metric)
        gaps.append(f"{metric} level ({gap:+.2f})" if level else f"{metric} {abs(gap):.2f} {word}")
    return f"{model.model} has {size} {baseline.model}'s output weights: {', '.join(gaps)}."


def _is_level(ours: Cell, theirs: Cell, metric: str) -> bool:
    """Whether another seed could change the order of two models."""
    assert ours.test_points is not None
    gap = ours.mean(metric) - theirs.mean(metric)
    values = ours.metrics[metric], theirs.metrics[metric]
    return abs(gap) <= chance.limit(*values, ours.test_points, LEVEL)
