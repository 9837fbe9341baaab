"""Train one run, for each of its seeds; keep the epoch that is best on the validation split.

python -m stages.train wordnet-hrr-fc    → models/wordnet-hrr-fc/0.safetensors, …
                                           results/curves/wordnet-hrr-fc.csv
"""

import pandas as pd

from hrrxml import model, params, paths, stage, training
from hrrxml.data import points, vectors
from hrrxml.encoders.cooccurrence import starting_vectors
from hrrxml.files import read_tensors, write_csv, write_tensors


def main(name: str) -> None:
    run, settings = params.load_run(name)
    train = points.load(paths.points(run.dataset, "train"))
    validation = points.load(paths.points(run.dataset, "validation"))
    given = vectors.load(paths.vectors(run.dataset))
    start = starting_vectors(getattr(settings, run.encoder), train, given)
    rate = getattr(settings, run.head)
    curves = []
    for seed in settings.train.all_seeds:
        training.make_deterministic(seed)
        tables = read_tensors(paths.labels(name, seed))
        network = model.build(run, settings, train, tables, start)
        weights, curve = training.fit(network, train, validation, settings.train, rate, seed)
        write_tensors(paths.model(name, seed), weights)
        curves.append(pd.DataFrame(curve).assign(seed=seed))
        best = max(curve, key=lambda row: row.validation_p1)
        print(
            f"train: {paths.model(name, seed)}: epoch {best.epoch} of {len(curve)}, "
            f"validation P@1 {best.validation_p1:.2f}"
        )
    write_csv(paths.curve(name), pd.concat(curves))


if __name__ == "__main__":
    stage.run(main)
