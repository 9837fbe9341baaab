"""Train one run; keep the epoch that is best on the validation split.

python -m stages.train wordnet-hrr-fc    → models/wordnet-hrr-fc.safetensors
                                           results/curves/wordnet-hrr-fc.csv
"""

import pandas as pd

from hrrxml import model, params, paths, stage, training
from hrrxml.data import points, vectors
from hrrxml.files import read_tensors, write_csv, write_tensors


def main(name: str) -> None:
    run, settings = params.load_run(name)
    train = points.load(paths.points(run.dataset, "train"))
    validation = points.load(paths.points(run.dataset, "validation"))
    training.make_deterministic(settings.train.seed)
    start = vectors.load(paths.vectors(run.dataset))
    network = model.build(run, settings, train, read_tensors(paths.labels(name)), start)
    rate = getattr(settings, run.head)
    weights, curve = training.fit(network, train, validation, settings.train, rate)
    write_tensors(paths.model(name), weights)
    write_csv(paths.curve(name), pd.DataFrame(curve))
    best = max(curve, key=lambda row: row.validation_p1)
    print(
        f"train: {paths.model(name)}: epoch {best.epoch} of {len(curve)}, "
        f"validation P@1 {best.validation_p1:.2f}"
    )


if __name__ == "__main__":
    stage.run(main)
