"""HolographicClassifier with no setting touched, measured as `rivals` measures the other tools.

`texts`: it is given the texts, and makes its own features. `features`: it is given the features
that the other tools read; of long texts, it would make the same ones itself. Each seed is trained
in a process of its own, on one thread, and what the recipe chose is noted. `ensemble` has the
metrics of three seeds that rank by the mean of their probabilities, one value for each choice of
three; a label beyond a seed's best 50 counts as 0. `first` is one more model of the first seed,
which stops after one epoch: with it, the seconds of each epoch follow from those of the whole.
"""

import hashlib
import sys
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, load_npz

import hrrxml
from benchmarks import judged, kept
from benchmarks.kept import Result
from benchmarks.prepared import Prepared, prepare
from hrrxml.estimator.inputs import SHORT
from hrrxml.evaluation.scoring import by_metric
from hrrxml.runtime.progress import bar

SEEDS = {  # on the datasets of `rivals`
    "bibtex": 5,
    "delicious": 3,
    "stackexchange": 3,
    "wordnet": 3,
    "wordnet-11k": 1,
    "medline": 2,
}
SIZE = 3  # seeds that rank together, as many as Parabel has trees
PROGRAM = (sys.executable, "-m", "benchmarks.alone.ours")


def measure_all() -> dict[str, Any]:
    """Everything, with what is kept point by point under `by_point`: dataset/inputs → array."""
    return judged.everything("recipe", SEEDS, _measure)


def measure(dataset: str = "wordnet", seeds: int = 1) -> dict[str, Any]:
    """For each kind of input, one value per seed of each metric in percent and of each cost."""
    return _measure(dataset, seeds)[0]


def _measure(dataset: str, seeds: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    data = prepare(dataset)
    methods: dict[str, Any] = {}
    by_point: dict[str, np.ndarray] = {}
    for inputs in inputs_of(data):
        results = [
            _run(data, inputs, seed)
            for seed in bar(range(seeds), desc=f"{dataset}, {inputs}", unit="seed", leave=False)
        ]
        first = _run(data, inputs, 0, epochs=1)
        methods[inputs] = judged.summary(data, results) | {
            "chosen": [_chosen(result) for result in results],
            "first": judged.summary(data, [first]),
        }
        by_point[inputs] = judged.by_point(data, results)
        if seeds >= SIZE:
            labels = data.sizes["labels"]
            rankings = [together(choice, labels) for choice in combinations(results, SIZE)]
            rated = [judged.metrics(data, ranking) for ranking in rankings]
            methods[inputs]["ensemble"] = by_metric(rated)
            by_point[f"{inputs}-{SIZE}"] = judged.found(data, rankings[0])[None]
    return judged.describe(data) | {"methods": methods}, by_point


def inputs_of(data: Prepared) -> tuple[str, ...]:
    """`features` apart only where the classifier adds pairs of words to a text's words."""
    if not data.has_texts:
        return ("features",)
    words = load_npz(data.folder / "train.npz").nnz / data.sizes["points"]
    return ("texts", "features") if words <= SHORT else ("texts",)


def _run(data: Prepared, inputs: str, seed: int, **given: int) -> Result:
    task = {"inputs": inputs, "given": given, "seed": seed, "code": library()}
    named = "".join(f"-{value}-{name}" for name, value in given.items())
    return kept.run(PROGRAM, task, data, f"ours-{inputs}-{seed}{named}")


def _chosen(result: Result) -> dict[str, Any]:
    return {name: result.facts[name] for name in ("recipe", "tail", "curve")}


@cache
def library() -> str:
    """A hash of the library's code: a kept result of other code is measured again."""
    folder, digest = Path(hrrxml.__file__).parent, hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"\n{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def together(results: Sequence[Result], n_labels: int) -> np.ndarray:
    """The ranking by the mean probability: (points, 5)."""
    total = csr_matrix(sum(_chances(result, n_labels) for result in results))
    ranking = np.full((total.shape[0], judged.K), -1)
    for row, (start, end) in enumerate(pairwise(total.indptr)):
        best = np.argsort(-total.data[start:end], kind="stable")[: judged.K]
        ranking[row, : len(best)] = total.indices[start:end][best]
    return ranking


def _chances(result: Result, n_labels: int) -> csr_matrix:
    ids, chances = result.arrays["ids"], result.arrays["chances"]
    rows, places = np.nonzero(ids >= 0)
    values = chances[rows, places].astype(np.float64)
    return csr_matrix((values, (rows, ids[rows, places])), shape=(len(ids), n_labels))
