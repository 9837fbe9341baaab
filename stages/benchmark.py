"""Measure the speed and memory of one part, compared with the usual alternatives.

python -m stages.benchmark parse    → results/benchmarks/parse.json
"""

import benchmarks
from hrrxml.config import paths
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json


def main(name: str) -> None:
    path = paths.benchmark(name)
    write_json(path, benchmarks.load(name).measure_all())
    print(f"benchmark: {path}")


if __name__ == "__main__":
    command.run(main)
