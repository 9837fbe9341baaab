"""Speed and memory. What is compared is timed in one run, side by side.

A benchmark is a module of this folder with a function `measure`. `SHAPES` or `measure_all` say
what the stage `benchmark` measures; without them, it calls `measure()`.
"""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

from hrrxml.runtime.errors import UserError


@cache
def names() -> tuple[str, ...]:
    """Every benchmark, in alphabetical order."""
    modules = sorted(module.name for module in iter_modules(__path__))
    return tuple(name for name in modules if name != "__main__" and _is_benchmark(name))


def _is_benchmark(name: str) -> bool:
    return hasattr(import_module(f"{__name__}.{name}"), "measure")


def load(name: str) -> ModuleType:
    if name not in names():
        raise UserError(f"no benchmark {name!r}; there are {', '.join(names())}")
    return import_module(f"{__name__}.{name}")


def measure_all(name: str) -> dict[str, Any]:
    benchmark = load(name)
    if hasattr(benchmark, "SHAPES"):
        return {shape: benchmark.measure(shape) for shape in benchmark.SHAPES}
    return getattr(benchmark, "measure_all", benchmark.measure)()
