"""Measure one run's P@1 on the training and test splits per epoch (GLaS, Figure 1 and Table 2).

python -m stages.overfitting wordnet-glas-none    → results/overfitting/wordnet-glas-none.csv

No epoch is chosen and training does not stop early: the curve is the result. An interrupted run
resumes from .checkpoints/ the next time, as in `train`.
"""

from collections.abc import Mapping

import torch
from torch import Tensor

from hrrxml import heads
from hrrxml.config import params, paths
from hrrxml.evaluation.subsample import subsample
from hrrxml.runtime import command
from hrrxml.runtime.files import checksum, write_csv
from hrrxml.training import distributed, launch
from hrrxml.training.trial import Trial


def main(name: str) -> None:
    run, settings = params.load_run(name, section="overfitting")
    train = settings.train.model_copy(update={"patience": None})
    settings = settings.model_copy(update={"train": train})
    launch.train(settings.train, lambda: follow(Trial("overfitting", name, run, settings)))


def follow(trial: Trial) -> None:
    run, splits = trial.run, {split: trial.load(split) for split in ("train", "test")}

    def tables(seed: int) -> tuple[Mapping[str, Tensor], str]:
        generator = torch.Generator().manual_seed(seed)
        settings = trial.settings.section(run.head)
        made = heads.get(run.head).tables(settings, splits["train"], generator)
        return made, checksum(made)

    curves = []
    for seed, _, curve in trial.fit(
        splits["train"],
        tables,
        ranked=lambda seed: {name: subsample(points, seed) for name, points in splits.items()},
        splits=splits,
    ):
        curves += [{"epoch": row.epoch} | row.p1 | {"seed": seed} for row in curve]
        last = curve[-1].p1
        if distributed.rank() == 0:
            print(
                f"overfitting: {trial.name}, seed {seed}: "
                f"train {last['train']:.2f}, test {last['test']:.2f}"
            )
    if distributed.rank() == 0:
        write_csv(paths.overfitting(trial.name), curves)
    trial.end()


if __name__ == "__main__":
    command.run(main)
