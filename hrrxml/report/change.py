"""What changed since the committed run: settings, data, machine and metrics."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hrrxml.config import paths
from hrrxml.report import chance, committed
from hrrxml.report.results import HEADLINES, Cell

LEVEL = 0.01  # largest probability that a metric counts as moved by chance
LONGEST = 40  # letters of a value

Differences = dict[str, list[str]]  # such as `hrr.dim: 400 → 1500` → the runs that have it


@dataclass(frozen=True)
class Move:
    """A metric before and after, and the largest difference that chance explains."""

    run: str
    metric: str
    before: float
    after: float
    tolerance: float

    @property
    def difference(self) -> float:
        return self.after - self.before

    @property
    def too_far(self) -> bool:
        return abs(self.difference) > self.tolerance


@dataclass(frozen=True)
class Changes:
    commit: str | None  # None: there is no commit to compare with
    moves: list[Move]  # of the runs that both have, one for each of HEADLINES
    settings: Differences
    data: Differences
    machine: Differences
    added: list[str]  # runs that the commit does not have
    gone: list[str]  # runs that only the commit has

    @property
    def compared(self) -> int:
        """How many runs both have."""
        return len({move.run for move in self.moves})

    @property
    def differences(self) -> dict[str, Differences]:
        return {"setting": self.settings, "data": self.data, "machine": self.machine}

    @property
    def moved(self) -> list[Move]:
        """The metrics that moved further than seeds do, the furthest first."""
        far = [move for move in self.moves if move.too_far]
        return sorted(far, key=lambda move: move.tolerance - abs(move.difference))

    @property
    def unexplained(self) -> list[Move]:
        """The metrics that moved with the same settings and data."""
        explained = {run for runs in (self.settings | self.data).values() for run in runs}
        return [move for move in self.moved if move.run not in explained]


def since_commit(cells: list[Cell]) -> Changes:
    """Compare these runs, and the files of their stages, with the last commit."""
    before = {cell.name: committed.read(paths.metrics(cell.name)) for cell in cells}
    both = [cell for cell in cells if before[cell.name]]
    recorded: Mapping[str, Any] = committed.read(paths.SUMMARY) or {}
    return Changes(
        commit=committed.commit(),
        moves=[move for cell in both for move in _moves(cell, before[cell.name]["metrics"])],
        settings=_group(
            (cell.name, _differences(before[cell.name]["settings"], cell.settings)) for cell in both
        ),
        data=_group((cell.name, _in_file(paths.statistics(cell.dataset))) for cell in both),
        machine=_group((cell.name, _in_file(paths.machine(cell.name))) for cell in both),
        added=[name for name, outcome in before.items() if not outcome],
        gone=[name for name in recorded.get("P@1", {}) if name not in before],
    )


def verdict(changes: Changes) -> str:
    """Whether the metrics moved, in a sentence or two."""
    if changes.commit is None:
        return "There is nothing to compare with: this folder has no git repository with a commit."
    if not changes.moves:
        return f"Commit {changes.commit} has no results of these runs."
    if changes.moved:
        return _about_moved(changes)
    if any(move.difference for move in changes.moves):
        return _about_chance(changes)
    same = f"all {len(changes.moves)} metrics have the same digits as in commit {changes.commit}"
    return f"Nothing moved: {same}."


def _about_moved(changes: Changes) -> str:
    cause = "The settings or data of their runs changed, too."
    if changes.unexplained:
        cause = f"Settings and data are the same for {len(changes.unexplained)} of them."
    return (
        f"Something moved: {len(changes.moved)} of {len(changes.moves)} metrics are further from "
        f"commit {changes.commit} than another seed could move them. {cause}"
    )


def _about_chance(changes: Changes) -> str:
    most = max(changes.moves, key=lambda move: abs(move.difference))
    return (
        f"No metric is further from commit {changes.commit} than another seed could move it. The "
        f"largest of {len(changes.moves)} differences is {most.difference:+.2f} ({most.run}, "
        f"{most.metric}); up to {most.tolerance:.2f} may be chance there."
    )


def _moves(cell: Cell, before: Mapping[str, list[float]]) -> list[Move]:
    assert cell.test_points is not None
    return [
        Move(
            cell.name,
            metric,
            sum(before[metric]) / len(before[metric]),
            cell.mean(metric),
            chance.limit(before[metric], cell.metrics[metric], cell.test_points, LEVEL),
        )
        for metric in HEADLINES
    ]


def _in_file(path: Path) -> list[str]:
    """The values of a stage's JSON file that differ from the committed ones."""
    before = committed.read(path)
    return _differences(before, json.loads(path.read_text())) if before else []


def _differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Such as `hrr.dim: 400 → 1500`."""
    old, new = _flat(before), _flat(after)
    return [
        f"{key}: {_shown(old.get(key))} → {_shown(new.get(key))}"
        for key in dict.fromkeys([*old, *new])
        if old.get(key) != new.get(key)
    ]


def _shown(value: Any) -> str:
    text = "none" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _flat(nested: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """A dict without dicts inside; its keys are dotted paths. Lists stay whole."""
    values: dict[str, Any] = {}
    for key, value in nested.items():
        inside = isinstance(value, dict)
        values |= _flat(value, f"{prefix}{key}.") if inside else {prefix + key: value}
    return values


def _group(by_run: Iterable[tuple[str, list[str]]]) -> Differences:
    """Every difference once, with all runs that have it."""
    grouped: Differences = {}
    for run, differences in by_run:
        for difference in differences:
            grouped.setdefault(difference, []).append(run)
    return grouped
