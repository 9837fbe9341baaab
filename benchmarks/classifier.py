"""HolographicClassifier with no parameter given: accuracy, calibration and core-seconds.

It learns from a dataset's train and validation points, and holds out a tenth of them itself. So
it trains on as many points as the tuned runs do. Bibtex, Delicious and StackExchange come from a
mirror (HRRXML_MIRROR). Seconds are CPU time on one thread.
"""

import time
from dataclasses import asdict
from typing import Any

import hrrxml
from benchmarks import corpora
from benchmarks.corpora import Collection
from hrrxml.runtime.progress import bar

# Seeds for each dataset; the largest takes eight minutes a seed.
SEEDS = {
    "bibtex": 3,
    "delicious": 3,
    "stackexchange": 3,
    "wordnet": 3,
    "wordnet-11k": 3,
    "wordnet-118k": 1,
}


def measure_all() -> dict[str, Any]:
    datasets = bar(SEEDS.items(), desc="classifier", unit="dataset")
    return {name: measure(name, seeds) for name, seeds in datasets}


def measure(dataset: str = "wordnet", seeds: int = 3) -> dict[str, Any]:
    collection = corpora.load(dataset)
    runs = [_run(collection, seed) for seed in range(seeds)]
    metrics = {name: [run["metrics"][name] for run in runs] for name in runs[0]["metrics"]}
    chosen = [{key: value for key, value in run.items() if key != "metrics"} for run in runs]
    return {"metrics": metrics, "chosen": chosen}


def _run(collection: Collection, seed: int) -> dict[str, Any]:
    """One classifier: its metrics on the test points in percent, and what it chose."""
    classifier = hrrxml.HolographicClassifier(random_state=seed, n_jobs=1)
    start = time.process_time()
    classifier.fit(collection.inputs, collection.labels)
    seconds = time.process_time() - start
    return {
        "metrics": classifier.evaluate(collection.test_inputs, collection.test_labels),
        "seconds": round(seconds, 1),
        "epochs": len(classifier.curve_),
        "tail": classifier.fitted_.tail,
        "recipe": asdict(classifier.recipe_),
    }
