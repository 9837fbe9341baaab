"""Established classifiers (peers), trained on the same bags of words for comparison.

Each peer has its package's default settings and learns only from the training split, with as many
seeds as `SEEDS` says. Where the training points have `LARGE` features or more in all, it has one
seed: each takes minutes there.

Each seed runs on one core in its own process, because napkinXC shuffles with C's `rand`, which has
one state per process: `srand` makes it repeatable only with one thread. Parabel and Bonsai are
never repeatable: omikuji takes its random numbers from the system.
"""

import ctypes
import importlib
import io
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise, repeat
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file

from hrrxml.config import paths
from hrrxml.config.schema import Propensity
from hrrxml.data import points
from hrrxml.data.points import Points
from hrrxml.evaluation.scoring import Scorer, by_metric
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

SEEDS = {"plt": 5, "br": 1, "parabel": 5, "bonsai": 5}  # BR is convex: the seed hardly matters
LARGE = 2_500_000  # features of all training points from which on each peer has one seed
K = 5  # labels ranked for each point

Ranker = Callable[[Points], np.ndarray]  # ids (points, K), best first, padded with −1


def plt(train: Points, seed: int) -> Ranker:
    """napkinXC's probabilistic label tree of logistic regressions."""
    return _napkinxc("PLT", train, seed)


def br(train: Points, seed: int) -> Ranker:
    """napkinXC's binary relevance: one logistic regression per label."""
    return _napkinxc("BR", train, seed)


def parabel(train: Points, seed: int) -> Ranker:
    """omikuji's Parabel: three balanced label trees of linear SVMs; `seed` has no effect."""
    return _omikuji(train)


def bonsai(train: Points, seed: int) -> Ranker:
    """omikuji's Bonsai: wide, shallow trees of k-means clusters; `seed` has no effect."""
    return _omikuji(train, cluster_balanced=False, cluster_k=100, max_depth=3)


PEERS: dict[str, Callable[[Points, int], Ranker]] = {
    "plt": plt,
    "parabel": parabel,
    "bonsai": bonsai,
    "br": br,
}


def _omikuji(train: Points, **changed: Any) -> Ranker:
    omikuji = import_tool("omikuji")
    settings = omikuji.Model.default_hyper_param()
    for name, value in changed.items():
        setattr(settings, name, value)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "train.txt")
        features, labels = _matrices(train)
        file.write_bytes(repository_format(features, labels))
        model = omikuji.Model.train_on_data(str(file), settings, n_threads=1)
    model.init_prediction_thread_pool(1)

    def rank(test: Points) -> np.ndarray:
        features = test.features.to_csr(test.n_features)
        pairs = list(zip(features.indices.tolist(), features.data.tolist(), strict=True))
        rows = (pairs[start:end] for start, end in pairwise(features.indptr))
        return _padded([[label for label, _ in model.predict(row, top_k=K)] for row in rows])

    return rank


def compare(dataset: str, chosen: Sequence[str], propensity: Propensity) -> dict[str, Any]:
    """For each peer, lists with one value per seed: its `metrics`, and `seconds` of CPU time.

    Where the training points have `LARGE` features or more, there is one seed.
    """
    large = len(points.load(paths.points(dataset, "train")).features.ids) >= LARGE
    # The slowest peer first, so that it does not run alone at the end.
    tasks = [
        (name, seed) for name in reversed(PEERS) for seed in range(1 if large else SEEDS[name])
    ]
    names, seeds = zip(*((name, seed) for name, seed in tasks if name in chosen), strict=True)
    # Spawned, not forked: a fork would lose torch's threads.
    pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), initializer=be_quiet)
    with pool:
        runs = pool.map(_measure, names, seeds, repeat(dataset), repeat(propensity))
        try:
            done = list(bar(runs, total=len(names), desc=f"peers on {dataset}", unit="run"))
        except BrokenProcessPool as error:
            raise UserError(
                f"peers: a process was killed on {dataset}, probably out of memory; free some"
            ) from error
    return {
        peer: _by_seed([run for name, run in zip(names, done, strict=True) if name == peer])
        for peer in chosen
    }


def _measure(
    peer: str, seed: int, dataset: str, propensity: Propensity
) -> tuple[dict[str, float], float]:
    """The metrics of one peer with one seed, and its seconds of training.

    The seconds are CPU time of this process: other seeds and programs do not count.
    """
    splits = {split: points.load(paths.points(dataset, split)) for split in points.SPLITS}
    start = time.process_time()
    rank = PEERS[peer](splits["train"], seed)
    seconds = time.process_time() - start
    ranking = rank(splits["test"])
    return Scorer(splits, propensity).score(ranking), round(seconds, 1)


def _by_seed(runs: Sequence[tuple[dict[str, float], float]]) -> dict[str, Any]:
    scores, seconds = zip(*runs, strict=True)
    return {"metrics": by_metric(scores), "seconds": list(seconds)}


def _napkinxc(kind: str, train: Points, seed: int) -> Ranker:
    models = import_tool("napkinxc.models")
    ctypes.CDLL(None).srand(seed + 1)  # for C, seeds 0 and 1 are the same
    with tempfile.TemporaryDirectory() as folder:
        model = getattr(models, kind)(folder, threads=1, seed=seed)
        model.fit(*_matrices(train))
        model.load()
    # If k exceeds the number of labels it has seen, BR repeats label 0.
    k = min(K, 1 + int(train.labels.ids.max()))

    def rank(test: Points) -> np.ndarray:
        return _padded(model.predict(test.features.to_csr(test.n_features), top_k=k))

    return rank


def _matrices(train: Points) -> tuple[csr_matrix, csr_matrix]:
    """Features and labels: (points, features) and (points, labels)."""
    return train.features.to_csr(train.n_features), train.labels.to_csr(train.n_labels)


def repository_format(features: csr_matrix, labels: csr_matrix) -> bytes:
    """The points in the format that hrrxml/datasets/layouts/sparse_text.py describes."""
    file = io.BytesIO()
    file.write(f"{features.shape[0]} {features.shape[1]} {labels.shape[1]}\n".encode())
    dump_svmlight_file(features, labels, file, multilabel=True)
    # omikuji rejects the trailing space of a point without features.
    return file.getvalue().replace(b" \n", b"\n")


def _padded(rows: Sequence[Sequence[int]]) -> np.ndarray:
    ranking = np.full((len(rows), K), -1)
    for place, row in zip(ranking, rows, strict=True):
        place[: len(row)] = row
    return ranking


def import_tool(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise UserError(f'peers need {package}: pip install -e ".[peers]"') from error


def be_quiet() -> None:
    """Silence omikuji: its compiled code bypasses sys.stdout and sys.stderr."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
