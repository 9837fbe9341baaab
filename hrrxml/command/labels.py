"""Labels as the user writes them, and the model's own."""

from difflib import get_close_matches
from typing import Any

from hrrxml.command import lines
from hrrxml.command.streams import one_line
from hrrxml.runtime.errors import UserError


def find(model: Any, name: str) -> Any:
    """The model's label of this name. A model of numbered labels has numbers."""
    return _find(_names(model), name, "LABEL")


def read(model: Any, file: str) -> list[Any]:
    """The labels in a file, one a line."""
    names, found = _names(model), []
    with lines.open_input(file) as stream:
        for rows in lines.blocks(stream, lines.shown(file)):
            for number, line in rows:
                if line.strip():
                    found.append(_find(names, line.strip(), f"{lines.shown(file)}:{number}"))
    if not found:
        raise UserError(f"{lines.shown(file)}: no labels; write one on each line")
    return list(dict.fromkeys(found))


def _names(model: Any) -> dict[str, Any]:
    return {one_line(label): label for label in model.classes_}


def _find(names: dict[str, Any], name: str, where: str) -> Any:
    if name in names:
        return names[name]
    raise UserError(f"{where}: the model has no label {name[:60]!r}; {_suggest(names, name)}")


def _suggest(names: dict[str, Any], name: str) -> str:
    """A cure: the labels that look like this one."""
    lower = {other.lower(): other for other in names if abs(len(other) - len(name)) <= 3}
    near = get_close_matches(name.lower(), lower, n=3)
    if not near:
        return f"`hrrxml info MODEL --labels` lists its {len(names)} labels"
    return f"did you mean {' or '.join(repr(lower[other]) for other in near)}?"
