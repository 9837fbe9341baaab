"""Compute the label tables that one run's head needs before training, for each seed.

    python -m stages.labels wordnet-hrr-fc    → data/labels/wordnet-hrr-fc/0.safetensors, …

`hrr`: the codebook, p, m, and the sum A of all label vectors (eq. 4). `bce`: the log-odds.
`holographic`: bases and log-odds. `grouped`: bases, log-odds and slots. `glas`: the initial label
vectors, and U of eq. 3.
"""

import torch

from hrrxml import heads
from hrrxml.config import params, paths
from hrrxml.data import points
from hrrxml.runtime import command
from hrrxml.runtime.files import write_tensors


def main(name: str) -> None:
    run, settings = params.load_run(name)
    train = points.load(paths.points(run.dataset, "train"))
    head = settings.section(run.head)
    for seed in settings.train.all_seeds:
        generator = torch.Generator().manual_seed(seed)
        tables = heads.get(run.head).tables(head, train, generator)
        write_tensors(paths.labels(name, seed), tables, n_labels=train.n_labels)
        shapes = ", ".join(f"{key} {tuple(table.shape)}" for key, table in tables.items())
        print(f"labels: {paths.labels(name, seed)}: {shapes}")
    if getattr(head, "dim", 0) > train.n_labels:
        print(f"note: {run.head}.dim {head.dim} is larger than the number of labels")


if __name__ == "__main__":
    command.run(main)
