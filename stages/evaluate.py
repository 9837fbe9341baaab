"""Rank the labels of every test point with one run's models, one for each seed.

python -m stages.evaluate wordnet-hrr-fc    → results/runs/wordnet-hrr-fc.json
"""

from hrrxml import evaluation, model, params, paths, stage
from hrrxml.data import points, vectors
from hrrxml.device import choose_device
from hrrxml.files import read_tensors, write_json


def main(name: str) -> None:
    run, settings = params.load_run(name)
    splits = {split: points.load(paths.points(run.dataset, split)) for split in points.SPLITS}
    propensity = settings.datasets[run.dataset].propensity
    start = vectors.load(paths.vectors(run.dataset))
    scores = []
    for seed in settings.train.all_seeds:
        tables = read_tensors(paths.labels(name, seed))
        network = model.build(run, settings, splits["train"], tables, start)
        model.load_weights(network, paths.model(name, seed))
        network.to(choose_device(settings.train.device))
        ranking = network.rank(splits["test"], 5).numpy()
        scores.append(evaluation.score(ranking, splits, propensity))
    found = evaluation.by_metric(scores)
    outcome = {"metrics": found, "parameters": network.count_parameters()}
    write_json(paths.metrics(name), outcome)
    p1 = ", ".join(f"{value:.2f}" for value in found["P@1"])
    print(f"evaluate: {paths.metrics(name)}: P@1 {p1}")


if __name__ == "__main__":
    stage.run(main)
