"""Follow one run on the training and test splits, epoch by epoch; GLaS's Figure 1 and Table 2.

python -m stages.overfitting wordnet-glas-none    → results/overfitting/wordnet-glas-none.csv
"""

import pandas as pd
import torch

from hrrxml import heads, model, overfitting, params, paths, stage, training
from hrrxml.data import points, vectors
from hrrxml.encoders.cooccurrence import starting_vectors
from hrrxml.files import write_csv


def main(name: str) -> None:
    run, settings = params.load_run(name, section="overfitting")
    splits = {split: points.load(paths.points(run.dataset, split)) for split in ("train", "test")}
    train, rate = splits["train"], getattr(settings, run.head)
    given = vectors.load(paths.vectors(run.dataset))
    start = starting_vectors(getattr(settings, run.encoder), train, given)
    curves = []
    for seed in settings.train.all_seeds:
        training.make_deterministic(seed)
        generator = torch.Generator().manual_seed(seed)
        tables = heads.get(run.head).tables(rate, train, generator)
        network = model.build(run, settings, train, tables, start)
        curve = overfitting.follow(network, splits, settings.train, rate, seed)
        curves.append(pd.DataFrame(curve).assign(seed=seed))
        last = curve[-1]
        print(f"overfitting: {name}, seed {seed}: train {last.train:.2f}, test {last.test:.2f}")
    write_csv(paths.overfitting(name), pd.concat(curves))


if __name__ == "__main__":
    stage.run(main)
