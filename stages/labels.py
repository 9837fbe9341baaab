"""Compute what one run's head knows of the labels before training.

    python -m stages.labels wordnet-hrr-fc    → data/labels/wordnet-hrr-fc.safetensors

For `hrr`: the label vectors, p, m and the "all labels" sum. For `bce`: the log-odds.
"""

import torch

from hrrxml import heads, params, paths, stage
from hrrxml.data import points
from hrrxml.files import write_tensors


def main(name: str) -> None:
    run, settings = params.load_run(name)
    train = points.load(paths.points(run.dataset, "train"))
    generator = torch.Generator().manual_seed(settings.train.seed)
    tables = heads.get(run.head).tables(getattr(settings, run.head), train, generator)
    write_tensors(paths.labels(name), tables)
    shapes = ", ".join(f"{key} {tuple(table.shape)}" for key, table in tables.items())
    print(f"labels: {paths.labels(name)}: {shapes}")


if __name__ == "__main__":
    stage.run(main)
