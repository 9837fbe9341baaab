"""Measure the speed and memory of one part, beside what others would use for it.

python -m stages.benchmark parse    → results/benchmarks/parse.json
"""

from hrrxml import params, paths, stage
from hrrxml.bench import encoders, parse
from hrrxml.bench.shapes import SHAPES
from hrrxml.errors import UserError
from hrrxml.files import write_json

TABLE7 = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "amazon-670k")
BENCHMARKS = {
    "encoders": lambda: {shape: encoders.measure(SHAPES[shape]) for shape in TABLE7},
    "parse": lambda: parse.measure(SHAPES["amazon-670k"]),
}


def main(name: str) -> None:
    params.load()
    if name not in BENCHMARKS:
        raise UserError(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    write_json(paths.benchmark(name), BENCHMARKS[name]())
    print(f"benchmark: {paths.benchmark(name)}")


if __name__ == "__main__":
    stage.run(main)
