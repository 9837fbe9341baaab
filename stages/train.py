"""Train one run; keep the epoch that is best on the validation split.

python -m stages.train wordnet-hrr-fc    → models/wordnet-hrr-fc.safetensors
                                           results/curves/wordnet-hrr-fc.csv
"""

import pandas as pd

from hrrxml import model, params, paths, stage, training
from hrrxml.data import points
from hrrxml.files import read_tensors, write_csv, write_tensors


def main(run: str) -> None:
    cell, settings = params.load_run(run)
    train = points.load(paths.points(cell.dataset, "train"))
    validation = points.load(paths.points(cell.dataset, "validation"))
    training.make_deterministic(settings.train.seed)
    network = model.build(cell, settings, train, read_tensors(paths.labels(run)))
    rate = getattr(settings, cell.head)
    weights, curve = training.fit(network, train, validation, settings.train, rate)
    write_tensors(paths.model(run), weights)
    write_csv(paths.curve(run), pd.DataFrame(curve))
    best = max(curve, key=lambda row: row.validation_p1)
    print(
        f"train: {paths.model(run)}: epoch {best.epoch} of {len(curve)}, "
        f"validation P@1 {best.validation_p1:.2f}"
    )


if __name__ == "__main__":
    stage.run(main)
