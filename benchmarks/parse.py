"""Reading the repository's text format: our reader against scikit-learn's, on a generated file."""

import resource
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_svmlight_file

from benchmarks.shapes import Shape, shapes
from hrrxml.data import points
from hrrxml.data.points import Points
from hrrxml.datasets.layouts import sparse_text

DISTINCT = 10_000  # lines; the file repeats them
SEED = 0


def measure(shape: str = "amazon-670k", repeats: int = 3) -> dict[str, Any]:
    """Median seconds and memory of each reader, in a process of its own."""
    size = shapes()[shape]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "train.txt")
        write_file(path, size)
        ours = _median([_in_process(_read_ours, path) for _ in range(repeats)])
        theirs = _median([_in_process(_read_sklearn, path) for _ in range(repeats)])
        prepared = Path(folder, "train.safetensors")
        _in_process(_prepare, path, prepared)
        loaded = _median([_in_process(_load, prepared) for _ in range(repeats)])
        return {
            "file_mb": round(path.stat().st_size / 2**20),
            "points": size.points,
            "ours_seconds": ours["seconds"],
            "sklearn_seconds": theirs["seconds"],
            "speed_up": round(theirs["seconds"] / ours["seconds"], 2),
            "arrays_mb": ours["arrays_mb"],
            "ours_peak_over_arrays": round(ours["peak_mb"] / ours["arrays_mb"], 2),
            "sklearn_peak_over_arrays": round(theirs["peak_mb"] / ours["arrays_mb"], 2),
            "load_seconds": loaded["seconds"],
            "repeats": repeats,
        }


measure_all = measure


def write_file(path: Path, shape: Shape) -> None:
    """A file of that shape: Poisson numbers of features and labels, uniform ids."""
    rng = np.random.default_rng(SEED)
    lines = []
    for _ in range(min(DISTINCT, shape.points)):
        labels = rng.choice(shape.labels, 1 + rng.poisson(shape.labels_per_point - 1))
        count = min(shape.features, 1 + rng.poisson(shape.features_per_point - 1))
        features = np.sort(rng.choice(shape.features, count, replace=False, shuffle=False))
        fields = [f"{i}:{v:.6f}" for i, v in zip(features, rng.random(count), strict=True)]
        lines.append(" ".join([",".join(map(str, np.unique(labels))), *fields]) + "\n")
    with path.open("w") as file:
        file.write(f"{shape.points} {shape.features} {shape.labels}\n")
        for start in range(0, shape.points, len(lines)):
            file.writelines(lines[: shape.points - start])


def _in_process(work: Callable[..., float], *arguments: Path) -> dict[str, float]:
    """Seconds, peak memory, and the megabytes that the call says it made."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_timed, (work, *arguments))


def _timed(work: Callable[..., float], *arguments: Path) -> dict[str, float]:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    made = work(*arguments)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return {"seconds": round(seconds, 3), "peak_mb": round(peak / 2**10), "arrays_mb": round(made)}


def _read_ours(path: Path) -> float:
    table = sparse_text.read(path)
    assert table.features.weights is not None
    bags = (table.features, table.labels)
    tensors = [t for bag in bags for t in (bag.ids, bag.offsets)] + [table.features.weights]
    return sum(tensor.nbytes for tensor in tensors) / 2**20


def _read_sklearn(path: Path) -> float:
    with path.open() as file:
        _, n_features, _ = map(int, file.readline().split())
    # The offset skips the header.
    matrix, _ = load_svmlight_file(
        path, n_features=n_features, dtype=np.float32, multilabel=True, zero_based=True, offset=1
    )
    return (matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes) / 2**20


def _prepare(path: Path, prepared: Path) -> float:
    table = sparse_text.read(path)
    sizes = {"n_features": table.n_features, "n_tokens": 0, "n_labels": table.n_labels}
    points.save(Points(table.features, None, table.labels, **sizes), prepared)
    return prepared.stat().st_size / 2**20


def _load(prepared: Path) -> float:
    points.load(prepared)
    return prepared.stat().st_size / 2**20


def _median(runs: list[dict[str, float]]) -> dict[str, float]:
    return {key: float(np.median([run[key] for run in runs])) for key in runs[0]}
