"""Measure the speed and memory of one part, compared with the usual alternatives.

python -m stages.benchmark step    → results/benchmarks/step.json
"""

import benchmarks
from hrrxml.config import paths
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json


def main(name: str) -> None:
    path = paths.benchmark(name)
    write_json(path, benchmarks.measure_all(name))
    print(f"benchmark: {path}")


if __name__ == "__main__":
    command.run(main)
