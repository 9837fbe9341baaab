"""Runs that differ only in the settings that a study is about, and how they compare."""

import copy
import json
from collections.abc import Callable, Iterable
from typing import Any

from hrrxml.report.results import Cell
from papers import outcomes
from papers.claim import Check
from papers.significance import Difference, crossed, over_points, paired, unpaired

Group = dict[tuple[Any, ...], Cell]  # the settings' values → the cell that has them
Gain = tuple[Cell, Cell]  # of the first over the second
Rule = Callable[[Difference], bool | None]


def groups(cells: Iterable[Cell], *keys: tuple[str, str]) -> list[Group]:
    """Cells of one dataset and model whose settings are equal except for `keys`.

    A key is a section and a setting in it. The number of seeds may differ: all count from the
    same seed.
    """
    grouped: dict[str, Group] = {}
    for cell in cells:
        if all(key in cell.settings.get(section, {}) for section, key in keys):
            rest = copy.deepcopy(cell.settings)
            values = tuple(rest[section].pop(key) for section, key in keys)
            del rest["train"]["seeds"]
            identity = json.dumps([cell.dataset, list(rest), rest], sort_keys=True)
            grouped.setdefault(identity, {})[values] = cell
    return list(grouped.values())


def pairs(
    cells: Iterable[Cell], section: str, **changed: tuple[object, object]
) -> list[tuple[Cell, Cell]]:
    """Every two cells that differ only in these settings: the first values, then the second."""
    before, after = zip(*changed.values(), strict=True)
    return [
        (group[before], group[after])
        for group in groups(cells, *((section, key) for key in changed))
        if {before, after} <= set(group)
    ]


def dim_of(cell: Cell) -> int:
    """d', the length of HRR's vectors."""
    return int(cell.settings["hrr"]["dim"])


def difference(cell: Cell, base: Cell, metric: str, times: float = 1) -> Difference:
    """How far a cell's metric lies above (so many times) that of another: seeds and test points.

    Over seeds alone if either was recorded without its outcomes, or if they do not hold the metric.
    """
    ours, theirs = (_by_point(each, metric) for each in (cell, base))
    if ours is None or theirs is None:
        return paired(cell.metrics[metric], [times * value for value in base.metrics[metric]])
    seeds = min(len(ours), len(theirs))
    return crossed(ours[:seeds] - times * theirs[:seeds])


def difference_of_gains(ours: Gain, theirs: Gain, metric: str) -> Difference:
    """How far one gain lies above another: over seeds and points, or over seeds alone as above."""
    points = [_by_point(cell, metric) for cell in (*ours, *theirs)]
    if any(each is None for each in points):
        return paired(*(_by_seed(gain, metric) for gain in (ours, theirs)))
    seeds = min(map(len, points))
    a, b, c, d = (each[:seeds] for each in points)
    return crossed((a - b) - (c - d))


def _by_seed(gain: Gain, metric: str) -> list[float]:
    after, before = (cell.metrics[metric] for cell in gain)
    return [a - b for a, b in zip(after, before, strict=False)]


def above(cell: Cell, metric: str, value: float) -> Difference:
    """How far a cell's metric lies above a fixed value, such as a printed one.

    Over seeds and test points; over seeds alone if it was recorded without its outcomes.
    """
    ours = _by_point(cell, metric)
    return unpaired(cell.metrics[metric], [value]) if ours is None else crossed(ours - value)


def difference_or_range(cell: Cell, base: Cell, metric: str) -> Difference | str:
    """The difference, or for one seed the gap in words: `+1.20 [+0.90, +1.50]`.

    The brackets say what other test points would give. They are left out if no points are recorded.
    """
    if min(cell.seeds, base.seeds) > 1:
        return difference(cell, base, metric)
    gap = f"{cell.metrics[metric][0] - base.metrics[metric][0]:+.2f}"
    ours, theirs = (_by_point(each, metric) for each in (cell, base))
    if ours is None or theirs is None:
        return gap
    low, high = over_points(ours[0] - theirs[0])
    return f"{gap} [{low:+.2f}, {high:+.2f}]"


def _by_point(cell: Cell, metric: str) -> Any:
    if cell.outcomes is None:
        return None
    return outcomes.by_point(cell.outcomes, metric, cell.metrics[metric][0])


def compare(where: str, cell: Cell, base: Cell, metric: str, rule: Rule) -> Check:
    """A check of how far a cell's metric lies above that of another."""
    gap = difference(cell, base, metric)
    return Check(where, runs=(base.name, cell.name), gaps=(gap,), rule=rule)
