"""Rank the labels of every test point with one run's models, one for each seed.

    python -m stages.evaluate wordnet-hrr-fc    → results/runs/wordnet-hrr-fc.json

With three seeds and more, also with every three of them as one model. The settings behind the
figures are kept beside them: a report may be made when params.yaml says something else.
"""

from typing import Any

from hrrxml import ensemble, evaluation, heads, model, params, paths, stage
from hrrxml.data import points, vectors
from hrrxml.device import choose_device
from hrrxml.files import write_json


def main(name: str) -> None:
    run, settings = params.load_run(name)
    splits = {split: points.load(paths.points(run.dataset, split)) for split in points.SPLITS}
    propensity = settings.datasets[run.dataset].propensity
    start = vectors.load(paths.vectors(run.dataset))
    networks = []
    for seed in settings.train.all_seeds:
        tables, checksum = heads.load_tables(paths.labels(name, seed), splits["train"].n_labels)
        network = model.build(run, settings, splits["train"], tables, start)
        model.load_weights(network, paths.model(name, seed), checksum)
        networks.append(network.to(choose_device(settings.train.device)))
    test = splits["test"]
    rankings = {"metrics": [network.rank(test, 5) for network in networks]}
    if len(networks) >= ensemble.SIZE:
        rankings["ensemble"] = ensemble.rank_all(networks, test, 5)
    outcome: dict[str, Any] = {
        kind: evaluation.by_metric([evaluation.score(r.numpy(), splits, propensity) for r in found])
        for kind, found in rankings.items()
    }
    outcome["parameters"] = networks[0].count_parameters()
    outcome["settings"] = params.sections_of(run, settings)
    write_json(paths.metrics(name), outcome)
    p1 = ", ".join(f"{value:.2f}" for value in outcome["metrics"]["P@1"])
    print(f"evaluate: {paths.metrics(name)}: P@1 {p1}")


if __name__ == "__main__":
    stage.run(main)
