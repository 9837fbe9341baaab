"""Measure the speed and memory of one part, beside what others would use for it.

python -m stages.benchmark parse    → results/benchmarks/parse.json
"""

from collections.abc import Callable
from typing import Any

from benchmarks import (
    encoders,
    growth,
    inference,
    input,
    loss,
    neighbours,
    parse,
    search,
    sizes,
    step,
)
from benchmarks.shapes import SHAPES
from hrrxml.config import params, paths
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_json

TABLE7 = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "amazon-670k")
LOSSES = ("eurlex-4k", "wiki10-31k", "delicious-200k", "amazon-670k")
INFERENCES = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "delicious-200k")
INPUTS = ("eurlex-4k", "wiki10-31k", "delicious-200k", "amazon-670k")
NEIGHBOURS = ((100_000, 512), (1_000_000, 512), (3_000_000, 256))
SEARCHES = ((3993, 400), (30938, 3000), (205443, 3000), (670091, 3000))
BENCHMARKS: dict[str, Callable[[], dict[str, Any]]] = {
    "encoders": lambda: {shape: encoders.measure(shape) for shape in TABLE7},
    "growth": growth.measure,
    "inference": lambda: {shape: inference.measure(shape) for shape in INFERENCES},
    "input": lambda: {shape: input.measure(shape) for shape in INPUTS},
    "loss": lambda: {shape: loss.measure(shape, SHAPES[shape].dim) for shape in LOSSES},
    "neighbours": lambda: {
        "grid": [neighbours.measure(labels, dim, repeats=1) for labels, dim in NEIGHBOURS]
    },
    "parse": parse.measure,
    "search": lambda: {
        "alone": search.measure_memory(),
        "grid": [search.measure(labels, dim) for labels, dim in SEARCHES],
    },
    "sizes": sizes.measure,
    "step": lambda: {shape: step.measure(shape) for shape in SHAPES},
}


def main(name: str) -> None:
    params.load()
    if name not in BENCHMARKS:
        raise UserError(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    write_json(paths.benchmark(name), BENCHMARKS[name]())
    print(f"benchmark: {paths.benchmark(name)}")


if __name__ == "__main__":
    command.run(main)
