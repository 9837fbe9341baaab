"""What crosstalk between labels costs: accuracy at d' outputs, up to one for each label.

With d' ≥ L outputs all codes are orthogonal, and no label disturbs another. All else is equal: the
linear path alone, on the same words, with the same batches and rates. Bibtex, Delicious and
StackExchange come from a mirror (HRRXML_MIRROR). Seconds are CPU time on one thread.
"""

import time
from typing import Any

import hrrxml
from benchmarks import corpora
from benchmarks.corpora import Collection
from hrrxml.data.words import analyze
from hrrxml.runtime.progress import bar

DIMS = (16, 32, 64, 128, 256, 512, 1024, 2048)
# Seeds for each dataset. With an output for each of its 11,681 labels, the last takes minutes.
SEEDS = {"bibtex": 5, "delicious": 3, "stackexchange": 2, "wordnet": 2, "wordnet-11k": 1}


def measure_all() -> dict[str, Any]:
    datasets = bar(SEEDS.items(), desc="crosstalk", unit="dataset")
    return {name: measure(name, seeds) for name, seeds in datasets}


def measure(dataset: str = "wordnet", seeds: int = 1) -> dict[str, Any]:
    """For each d', one value per seed: metrics of the test points in percent, and seconds."""
    collection = corpora.load(dataset)
    n_labels = int((collection.labels.sum(axis=0) > 0).sum())  # that training points have
    dims = [d for d in DIMS if d < n_labels] + [n_labels + n_labels % 2]
    runs = {
        d: [_run(collection, d, seed) for seed in range(seeds)]
        for d in bar(dims, desc=dataset, unit="d'")
    }
    return {
        "labels": n_labels,
        "dims": {str(d): {key: [run[key] for run in found] for key in found[0]}
                 for d, found in runs.items()},
    }  # fmt: skip


def _run(collection: Collection, dim: int, seed: int) -> dict[str, float]:
    texts = isinstance(collection.inputs, list)
    classifier = hrrxml.HolographicClassifier(
        dim, hidden=0, vectorizer=analyze if texts else None, random_state=seed, n_jobs=1
    )
    start = time.process_time()
    classifier.fit(collection.inputs, collection.labels)
    seconds = round(time.process_time() - start, 1)
    metrics = classifier.evaluate(collection.test_inputs, collection.test_labels)
    return {name: metrics[name] for name in ("P@1", "P@5", "PSP@1")} | {"seconds": seconds}
