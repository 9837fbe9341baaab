"""Rank the labels of every test point with one run's model.

python -m stages.evaluate wordnet-hrr-fc    → results/runs/wordnet-hrr-fc.json
"""

from hrrxml import evaluation, model, params, paths, stage
from hrrxml.data import points, vectors
from hrrxml.device import choose_device
from hrrxml.files import read_tensors, write_json


def main(name: str) -> None:
    run, settings = params.load_run(name)
    splits = {split: points.load(paths.points(run.dataset, split)) for split in points.SPLITS}
    tables, start = read_tensors(paths.labels(name)), vectors.load(paths.vectors(run.dataset))
    network = model.build(run, settings, splits["train"], tables, start)
    model.load_weights(network, paths.model(name))
    network.to(choose_device(settings.train.device))
    ranking = network.rank(splits["test"], 5).numpy()
    found = evaluation.score(ranking, splits, settings.datasets[run.dataset].propensity)
    outcome = {"metrics": found, "parameters": network.count_parameters()}
    write_json(paths.metrics(name), outcome)
    print(f"evaluate: {paths.metrics(name)}: P@1 {found['P@1']:.2f}, PSP@1 {found['PSP@1']:.2f}")


if __name__ == "__main__":
    stage.run(main)
