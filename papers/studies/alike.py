"""Cells that differ in nothing but the settings that a study is about."""

import copy
import json
from collections.abc import Iterable

from hrrxml.report.results import Cell

Group = dict[tuple[object, ...], Cell]  # the settings' values → the cell that has them


def groups(cells: Iterable[Cell], *keys: tuple[str, str]) -> list[Group]:
    """Cells of one dataset and model that are equal but for `keys`, pairs of section and key.

    How many seeds a cell has does not matter: they are counted from the same one.
    """
    found: dict[str, Group] = {}
    for cell in cells:
        if all(key in cell.settings.get(section, {}) for section, key in keys):
            rest = copy.deepcopy(cell.settings)
            values = tuple(rest[section].pop(key) for section, key in keys)
            del rest["train"]["seeds"]
            identity = json.dumps([cell.dataset, list(rest), rest], sort_keys=True)
            found.setdefault(identity, {})[values] = cell
    return list(found.values())


def pairs(
    cells: Iterable[Cell], section: str, **changed: tuple[object, object]
) -> list[tuple[Cell, Cell]]:
    """Every two that differ in these keys of a section, from one value to the other."""
    before, after = zip(*changed.values(), strict=True)
    return [
        (group[before], group[after])
        for group in groups(cells, *((section, key) for key in changed))
        if {before, after} <= set(group)
    ]
