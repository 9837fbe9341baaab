"""Rank the labels of every test point with the models of one run, one model per seed.

    python -m stages.evaluate wordnet-hrr-fc    → results/runs/wordnet-hrr-fc.json
                                                  results/examples/wordnet-hrr-fc.json
                                                  results/outcomes/wordnet-hrr-fc.safetensors

With three seeds or more, each group of three models is also ranked as an ensemble. The output also
has the settings of the run, so that a result can be read without its params.yaml. The examples are
what the first seed's model answers to a few test texts. The outcomes say which predictions are
correct, point by point.
"""

from typing import Any

from hrrxml import heads, model
from hrrxml.config import params, paths
from hrrxml.data import points
from hrrxml.datasets import names
from hrrxml.evaluation import ensemble, examples, frequency, outcomes
from hrrxml.evaluation.scoring import Scorer, by_metric
from hrrxml.evaluation.threshold import precision_and_recall
from hrrxml.runtime import command
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.files import write_json, write_tensors


def main(name: str) -> None:
    run, settings = params.load_run(name)
    splits = {split: points.load(paths.points(run.dataset, split)) for split in points.SPLITS}
    train, test = splits["train"], splits["test"]
    networks = []
    for seed in settings.train.all_seeds:
        tables, checksum = heads.load_tables(paths.labels(name, seed), train.n_labels)
        network = model.build(run, settings, train, tables)
        model.load_weights(network, paths.model(name, seed), checksum)
        networks.append(network.to(choose_device(settings.train.device)))
    rankings = {"metrics": [network.rank(test, 5) for network in networks]}
    if len(networks) >= ensemble.SIZE:
        rankings["ensemble"] = ensemble.rank_all(networks, test, 5)
    scorer = Scorer(splits, settings.datasets[run.dataset].propensity)
    outcome: dict[str, Any] = {
        kind: by_metric([scorer.score(ranking.numpy()) for ranking in group])
        for kind, group in rankings.items()
    }
    if (threshold := networks[0].head.threshold) is not None:
        found = [precision_and_recall(network, test, threshold) for network in networks]
        outcome["at_threshold"] = by_metric(found) | {"threshold": threshold}
    if (few := settings.datasets[run.dataset].few) is not None:
        rated = [frequency.by_group(network, splits, few) for network in networks]
        outcome["by_frequency"] = {g: by_metric([one[g] for one in rated]) for g in rated[0]}
    outcome["parameters"] = networks[0].count_parameters()
    outcome["settings"] = params.sections_of(run, settings)
    outcome["test_points"] = len(test)
    write_json(paths.metrics(name), outcome)
    ranked = [ranking.numpy() for ranking in rankings["metrics"]]
    write_tensors(paths.outcomes(name), outcomes.pack(scorer.truth, ranked, scorer.inv_ps))
    known = names.load(paths.names(run.dataset))
    write_json(paths.examples(name), examples.describe(test, rankings["metrics"][0], known))
    p1 = ", ".join(f"{value:.2f}" for value in outcome["metrics"]["P@1"])
    print(f"evaluate: {paths.metrics(name)}: P@1 {p1}")


if __name__ == "__main__":
    command.run(main)
