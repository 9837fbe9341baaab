"""Models on disk: HolographicClassifier beside omikuji's Parabel and napkinXC's PLT.

All learn from the same features, with no parameter given. Each model is loaded and asked in a
process of its own, on one thread. `one_ms` is the median time of one point, and `many_ms` the time
of 1,000 points at once. `memory_mb` is how far the process's memory grew above that of its imports.
Ours is saved in several ways: `pruned-0.9` keeps a tenth of the linear path's weights.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import torch
from scipy.sparse import csr_matrix

import hrrxml
from benchmarks import clock, corpora
from hrrxml.peers import be_quiet, import_tool, repository_format
from hrrxml.runtime.progress import bar

MANY, TOP, ALONE = 1000, 5, 100  # points at once, labels of each, points asked one by one
VARIANTS: dict[str, dict[str, Any]] = {
    "float32": {"dtype": "float32"},
    "float16": {},
    **{f"pruned-{share}": {"prune": share} for share in (0.6, 0.8, 0.9, 0.95)},
}

Predict = Callable[[csr_matrix], list[list[int]]]  # rows of features → the best labels of each


def measure(dataset: str = "wordnet") -> dict[str, Any]:
    """Bytes, load time, time of an answer, memory and P@1 of every saved model."""
    found = corpora.load(dataset)
    (train, test), labels, truth = corpora.features(found), found.labels, found.test_labels
    models, seconds = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for tool, save in bar(SAVE.items(), desc="train", unit="tool"):
            seconds[tool] = in_new_process(_timed, save, Path(folder, tool), train, labels)
        for variant, options in VARIANTS.items():
            path = Path(folder, variant)
            in_new_process(_save_again, Path(folder, "hrrxml"), path, options)
            models[f"hrrxml, {variant}"] = in_new_process(_ask, _load_ours, path, test, truth)
        for tool, load in (("omikuji", _load_parabel), ("napkinxc", _load_plt)):
            models[tool] = in_new_process(_ask, load, Path(folder, tool), test, truth)
    return {"models": models, "training_seconds": seconds, "threads": 1, "asked": ALONE}


def in_new_process(work: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function where nothing else has used memory."""
    with ProcessPoolExecutor(1, get_context("spawn"), initializer=_prepare_process) as pool:
        return pool.submit(work, *arguments).result()


def _prepare_process() -> None:
    """Import everything first, so that neither time nor memory of a model includes it."""
    be_quiet()
    torch.set_num_threads(1)
    for module in ("hrrxml.estimator.classifier", "omikuji", "napkinxc.models"):
        import_tool(module)


def _timed(save: Callable[..., None], path: Path, train: csr_matrix, labels: csr_matrix) -> float:
    """Core-seconds to train and save a model."""
    start = time.process_time()
    save(path, train, labels)
    return round(time.process_time() - start, 1)


def _save_ours(path: Path, train: csr_matrix, labels: csr_matrix) -> None:
    hrrxml.HolographicClassifier(n_jobs=1).fit(train, labels).save(path, dtype="float32")


def _save_again(trained: Path, path: Path, options: dict[str, Any]) -> None:
    hrrxml.load(trained).save(path, **options)


def _save_parabel(path: Path, train: csr_matrix, labels: csr_matrix) -> None:
    omikuji = import_tool("omikuji")
    with tempfile.NamedTemporaryFile() as file:
        file.write(repository_format(train, labels))
        file.flush()
        omikuji.Model.train_on_data(file.name, n_threads=1).save(str(path))


def _save_plt(path: Path, train: csr_matrix, labels: csr_matrix) -> None:
    import_tool("napkinxc.models").PLT(str(path), threads=1, seed=0).fit(train, labels)


SAVE: dict[str, Callable[[Path, csr_matrix, csr_matrix], None]] = {
    "hrrxml": _save_ours,
    "omikuji": _save_parabel,
    "napkinxc": _save_plt,
}


def _load_ours(path: Path) -> Predict:
    model = hrrxml.load(path)
    return lambda rows: [[label for label, _ in row] for row in model.predict(rows, k=TOP)]


def _load_parabel(path: Path) -> Predict:
    model = import_tool("omikuji").Model.load(str(path))
    model.init_prediction_thread_pool(1)

    def predict(rows: csr_matrix) -> list[list[int]]:
        pairs = list(zip(rows.indices.tolist(), rows.data.tolist(), strict=True))
        points = (pairs[start:end] for start, end in pairwise(rows.indptr))
        return [[label for label, _ in model.predict(point, top_k=TOP)] for point in points]

    return predict


def _load_plt(path: Path) -> Predict:
    model = import_tool("napkinxc.models").PLT(str(path), threads=1)
    model.load()
    return partial(model.predict, top_k=TOP)


def _ask(load: Callable[[Path], Predict], path: Path, test: csr_matrix, truth: csr_matrix) -> Any:
    """Load a model and time its answers."""
    imports = _megabytes("VmRSS")
    start = time.perf_counter()
    predict = load(path)
    loaded = time.perf_counter() - start
    predict(test[:1])  # the first answer pays for what is made once
    one = [clock.once(partial(predict, test[row])) for row in range(ALONE)]
    many = [clock.once(partial(predict, test[:MANY])) for _ in range(5)]
    best = [row[:1] for row in predict(test)]
    right = sum(label in truth[row].indices for row, labels in enumerate(best) for label in labels)
    return {
        "bytes": sum(file.stat().st_size for file in _files(path)),
        "load_seconds": round(loaded, 3),
        "one_ms": round(statistics.median(one), 3),
        "many_ms": round(statistics.median(many), 1),
        "memory_mb": _megabytes("VmHWM") - imports,
        "P@1": round(100 * right / test.shape[0], 2),
    }


def _files(path: Path) -> list[Path]:
    return [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]


def _megabytes(line: str) -> int:
    """The memory of this process: VmRSS now, VmHWM at its peak. `ru_maxrss` may be a parent's."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(row.split()[1]) // 1024 for row in status if row.startswith(line))
