"""Compute what one run's head knows of the labels before training.

    python -m stages.labels wordnet-hrr-fc    → data/labels/wordnet-hrr-fc.safetensors

For `hrr`: the label vectors, p, m and the "all labels" sum. For `bce`: the log-odds.
"""

import torch

from hrrxml import heads, params, paths, stage
from hrrxml.data import points
from hrrxml.files import write_tensors


def main(run: str) -> None:
    cell, settings = params.load_run(run)
    train = points.load(paths.points(cell.dataset, "train"))
    generator = torch.Generator().manual_seed(settings.train.seed)
    tables = heads.get(cell.head).tables(getattr(settings, cell.head), train, generator)
    write_tensors(paths.labels(run), tables)
    shapes = ", ".join(f"{name} {tuple(table.shape)}" for name, table in tables.items())
    print(f"labels: {paths.labels(run)}: {shapes}")


if __name__ == "__main__":
    stage.run(main)
