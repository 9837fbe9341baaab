"""Parts that are chosen by name: each is a module of its own in one folder.

A folder such as `hrrxml/heads` has `base.py`, which says what each part offers, and one module for
each part. To add a part, add its module. No list of names is kept anywhere.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from hrrxml.runtime.errors import UserError


@cache
def names(package: str) -> tuple[str, ...]:
    """The parts in a folder, such as ("bce", "glas", "hrr") of "hrrxml.heads"."""
    folder = import_module(package).__path__
    return tuple(sorted(module.name for module in iter_modules(folder) if module.name != "base"))


def load(package: str, name: str) -> ModuleType:
    """The module of one part. Only this part is imported."""
    if name not in names(package):
        raise UserError(f"{package}: no {name!r}; there are {', '.join(names(package))}")
    return import_module(f"{package}.{name}")
