"""Measure the speed and memory of one part, compared with the usual alternatives.

    python -m stages.benchmark step    → results/benchmarks/step.json
                                         results/by_point/step.safetensors

The second file has what a benchmark returns as `by_point`: arrays with a value for each test point.
Most benchmarks return none.
"""

import torch

import benchmarks
from hrrxml.config import paths
from hrrxml.runtime import command
from hrrxml.runtime.files import write_json, write_tensors


def main(name: str) -> None:
    path, measured = paths.benchmark(name), benchmarks.measure_all(name)
    arrays = measured.pop("by_point", {})
    write_tensors(
        paths.by_point(name), {key: torch.from_numpy(array) for key, array in arrays.items()}
    )
    write_json(path, measured)
    print(f"benchmark: {path}")


if __name__ == "__main__":
    command.run(main)
