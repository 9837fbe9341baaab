"""Train one of the other tools in a process of its own, and rank the test points.

    python benchmarks/alone/rival.py '{"tool": "omikuji", "settings": {"n_trees": 1}, "seed": 0,
                                       "data": "…", "folder": "…"}'

`data` has the points as files (benchmarks/prepared.py). `folder` gets `ranking.npy`, the first five
labels of each test point, and `facts.json`. The process imports nothing of this project: its memory
is the tool's, and a tool whose pins are others runs in an environment of its own. One thread.
"""

import ctypes
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, load_npz

K = 5
HOUR = 3600  # core-seconds after which a process is ended
PACKAGES = {"pecos": "libpecos"}  # whose name is not the tool's

Predict = Callable[[csr_matrix], Any]  # rows of features → the best labels of each, best first


def train_omikuji(data: Path, model: Path, seed: int, settings: dict[str, Any]) -> None:
    """Trees of linear SVMs; omikuji takes its random numbers from the system, not from `seed`."""
    from omikuji import Model

    chosen = Model.default_hyper_param()
    for name, value in settings.items():
        setattr(chosen, name, value)
    Model.train_on_data(str(data / "train.txt"), chosen, n_threads=1).save(str(model))


def load_omikuji(model: Path, settings: dict[str, Any]) -> Predict:
    from omikuji import Model

    loaded = Model.load(str(model))
    loaded.init_prediction_thread_pool(1)

    def predict(rows: csr_matrix) -> list[list[int]]:
        pairs = list(zip(rows.indices.tolist(), rows.data.tolist(), strict=True))
        points = (pairs[start:end] for start, end in pairwise(rows.indptr))
        return [[label for label, _ in loaded.predict(point, top_k=K)] for point in points]

    return predict


def train_napkinxc(data: Path, model: Path, seed: int, settings: dict[str, Any]) -> None:
    """Logistic regressions in a label tree (`kind` PLT), or one for each label (BR)."""
    features, labels = load_npz(data / "train.npz"), load_npz(data / "labels.npz")
    if some := settings.get("labels"):  # of as many labels alone, to see how long they take
        chosen = np.random.default_rng(seed).permutation(labels.shape[1])[:some]
        labels = csr_matrix(labels[:, chosen])
    ctypes.CDLL(None).srand(seed + 1)  # for C, seeds 0 and 1 are the same
    _napkinxc(model, settings, seed=seed).fit(features, labels)


def load_napkinxc(model: Path, settings: dict[str, Any]) -> Predict:
    loaded = _napkinxc(model, settings)
    loaded.load()
    return lambda rows: loaded.predict(rows, top_k=K)


def _napkinxc(model: Path, settings: dict[str, Any], **options: Any) -> Any:
    from napkinxc import models

    options |= {name: value for name, value in settings.items() if name not in ("kind", "labels")}
    return getattr(models, settings["kind"])(str(model), threads=1, **options)


def train_pecos(data: Path, model: Path, seed: int, settings: dict[str, Any]) -> None:
    """XR-Linear, as `python -m pecos.xmc.xlinear.train` trains it."""
    from pecos.xmc.xlinear import train

    files = {"-x": data / "train.npz", "-y": data / "labels.npz", "-m": model}
    options = files | {"--threads": 1, "--seed": seed} | settings
    words = [str(word) for option in options.items() for word in option]
    train.do_train(train.parse_arguments().parse_args(words))


def load_pecos(model: Path, settings: dict[str, Any]) -> Predict:
    from pecos.xmc.xlinear.model import XLinearModel

    loaded = XLinearModel.load(str(model), is_predict_only=True)

    def predict(rows: csr_matrix) -> list[list[int]]:
        scores = loaded.predict(rows, only_topk=K, threads=1)
        points = zip(*(np.split(each, scores.indptr[1:-1]) for each in _parts(scores)), strict=True)
        return [ids[np.argsort(-values, kind="stable")].tolist() for ids, values in points]

    return predict


def _parts(scores: csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    return scores.indices, scores.data


TOOLS = {
    "omikuji": (train_omikuji, load_omikuji),
    "napkinxc": (train_napkinxc, load_napkinxc),
    "pecos": (train_pecos, load_pecos),
}


def main(text: str) -> None:
    task = json.loads(text)
    resource.setrlimit(resource.RLIMIT_CPU, (HOUR, HOUR + 60))
    data, folder, settings = Path(task["data"]), Path(task["folder"]), task["settings"]
    train, load = TOOLS[task["tool"]]
    start = time.process_time()
    train(data, folder / "model", task["seed"], settings)
    trained = time.process_time() - start
    predict, test = load(folder / "model", settings), load_npz(data / "test.npz")
    start = time.process_time()
    ranking = padded(predict(test))
    predicted = time.process_time() - start
    np.save(folder / "ranking.npy", ranking)
    facts = {"train_seconds": round(trained, 2), "predict_seconds": round(predicted, 2)}
    (folder / "facts.json").write_text(json.dumps(facts | measured(folder / "model")))


def measured(model: Path) -> dict[str, int]:
    """This process's peak memory with all that it imported and read, and the model's bytes."""
    size = sum(file.stat().st_size for file in model.rglob("*") if file.is_file())
    return {"peak_mb": peak_mb(), "bytes": size}


def peak_mb() -> int:
    """The most memory that this process has had. (`ru_maxrss` may be that of its parent.)"""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM"))


def padded(rows: Any) -> np.ndarray:
    """The first K labels of each point, with −1 where there are fewer: (points, K)."""
    ranking = np.full((len(rows), K), -1, dtype=np.int32)
    for place, row in zip(ranking, rows, strict=True):
        # napkinXC repeats label 0 if it has fewer than K labels to name.
        best = list(dict.fromkeys(row))[:K]
        place[: len(best)] = best
    return ranking


if __name__ == "__main__":
    if sys.argv[1] == "--version":
        print(version(PACKAGES.get(sys.argv[2], sys.argv[2])))
    else:
        # Compiled code bypasses sys.stdout; what Python raises still goes to stderr.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        main(sys.argv[1])
