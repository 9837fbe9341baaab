"""Vector symbolic architectures (algebras): one module each, all with the same interface.

    random(n, d)   n symbols               bind(x, y)     a pair as one vector
    identity(d)    bind(x, identity) = x   unbind(s, y)   the symbol bound to y in s
    bundle(xs)     a set as one vector     inverse(x)     unbind(s, y) = bind(s, inverse(y))

Vectors are the last dimension. All other dimensions are batch dimensions and broadcast. An
algebra may have `response(d)`, the mean of ⟨x, unbind(bind(x, y), y)⟩ if it is not 1.
"""

from types import ModuleType

from hrrxml.runtime import registry


def names() -> tuple[str, ...]:
    """The names of all algebras."""
    return registry.names(__name__)


def get(name: str) -> ModuleType:
    """The module of the algebra `name`."""
    return registry.load(__name__, name)
