"""Rank the labels of every test point with one run's model; the only reader of the test split.

python -m stages.evaluate wordnet-hrr-fc    → results/runs/wordnet-hrr-fc.json
"""

from scipy.sparse import vstack

from hrrxml import metrics, model, params, paths, stage
from hrrxml.data import points, vectors
from hrrxml.device import choose_device
from hrrxml.files import read_tensors, write_json


def main(name: str) -> None:
    run, settings = params.load_run(name)
    splits = {split: points.load(paths.points(run.dataset, split)) for split in points.SPLITS}
    truth = {split: part.labels.to_csr(part.n_labels) for split, part in splits.items()}
    propensity = settings.datasets[run.dataset].propensity
    seen = vstack([truth["train"], truth["validation"]])
    inv_ps = metrics.Jain_et_al_inverse_propensity(seen, propensity.a, propensity.b)
    tables, start = read_tensors(paths.labels(name)), vectors.load(paths.vectors(run.dataset))
    network = model.build(run, settings, splits["train"], tables, start)
    model.load_weights(network, paths.model(name))
    network.to(choose_device(settings.train.device))
    ranking = network.rank(splits["test"], 5).numpy()
    found = metrics.all_metrics(truth["test"], ranking, inv_ps)
    write_json(
        paths.metrics(name),
        {
            "metrics": {metric: round(value, 2) for metric, value in found.items()},
            "parameters": network.count_parameters(),
        },
    )
    print(f"evaluate: {paths.metrics(name)}: P@1 {found['P@1']:.2f}, PSP@1 {found['PSP@1']:.2f}")


if __name__ == "__main__":
    stage.run(main)
