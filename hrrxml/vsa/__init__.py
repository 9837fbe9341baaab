"""Vector symbolic architectures: ways to bind symbols, one module each, one interface.

    random(n, d)   n symbols               bind(x, y)     a pair as one vector
    identity(d)    binds to no effect      unbind(s, y)   what is bound to y in s
    bundle(xs)     a set as one vector     inverse(x)     unbind(s, y) = bind(s, inverse(y))

Vectors are the last dimension; all others are batch dimensions and broadcast.
"""

from types import ModuleType

from hrrxml.runtime import registry


def names() -> tuple[str, ...]:
    """Every algebra."""
    return registry.names(__name__)


def get(name: str) -> ModuleType:
    """The algebra called `name`."""
    return registry.load(__name__, name)
