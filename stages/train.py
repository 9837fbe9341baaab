"""Train one run for each seed; keep the epoch with the best P@1 on the validation split.

python -m stages.train wordnet-hrr-fc    → models/wordnet-hrr-fc/0.safetensors, …
                                           results/curves/wordnet-hrr-fc.csv
                                           results/machines/wordnet-hrr-fc.json

An interrupted run resumes from .checkpoints/ the next time. For several processes, set
`train.processes` or use: torchrun --nproc-per-node=2 -m stages.train wordnet-hrr-fc
"""

from hrrxml import heads
from hrrxml.config import params, paths
from hrrxml.runtime import command, machine
from hrrxml.runtime.files import read_facts, write_csv, write_json, write_tensors
from hrrxml.training import distributed, launch
from hrrxml.training.loop import best_epoch
from hrrxml.training.trial import Trial


def main(name: str) -> None:
    run, settings = params.load_run(name)
    launch.train(settings.train, lambda: train(Trial("train", name, run, settings)))


def train(trial: Trial) -> None:
    name = trial.name
    training, validation = trial.load("train"), trial.load("validation")
    curves = []
    for seed, weights, curve in trial.fit(
        training,
        tables=lambda seed: heads.load_tables(paths.labels(name, seed), training.n_labels),
        ranked=lambda _: {"validation": validation},
        splits=("train", "validation"),
    ):
        if distributed.rank():
            continue  # the first process writes
        labels = read_facts(paths.labels(name, seed))["checksum"]
        write_tensors(paths.model(name, seed), weights, durable=True, labels=labels)
        curves += [row.as_dict("{}_p1") | {"seed": seed} for row in curve]
        best = best_epoch(curve)
        print(
            f"train: {paths.model(name, seed)}: epoch {best.epoch} of {len(curve)}, "
            f"validation P@1 {best.p1['validation']:.2f}"
        )
    if curves:
        write_csv(paths.curve(name), curves)
        write_json(paths.machine(name), machine.describe())
    trial.end()


if __name__ == "__main__":
    command.run(main)
