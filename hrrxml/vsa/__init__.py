"""Vector symbolic architectures: ways to bind symbols, one module each, one interface.

    random(n, d)   n symbols               bind(x, y)     a pair as one vector
    identity(d)    binds to no effect      unbind(s, y)   what is bound to y in s
    bundle(xs)     a set as one vector     inverse(x)     unbind(s, y) = bind(s, inverse(y))

Vectors are the last dimension; all others are batch dimensions and broadcast.
"""

from importlib import import_module
from types import ModuleType

NAMES = ("hrr", "mapc", "vtb")


def get(name: str) -> ModuleType:
    """The algebra called `name`."""
    if name not in NAMES:
        raise ValueError(f"no algebra {name!r}; known: {', '.join(NAMES)}")
    return import_module(f"hrrxml.vsa.{name}")
