"""Parts chosen by name: each part is a module of one folder.

A folder such as `hrrxml/heads` has `base.py`, the interface of its parts, and one module per part.
To add a part, add its module. There is no list of names to update.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from hrrxml.runtime.errors import UserError


@cache
def names(package: str) -> tuple[str, ...]:
    """The names of a package's parts: ("bce", "glas", "hrr", …) for "hrrxml.heads"."""
    folder = import_module(package).__path__
    return tuple(sorted(module.name for module in iter_modules(folder) if module.name != "base"))


def load(package: str, name: str) -> ModuleType:
    """Import and return the module of one part."""
    if name not in names(package):
        raise UserError(f"{package}: no {name!r}; there are {', '.join(names(package))}")
    return import_module(f"{package}.{name}")
