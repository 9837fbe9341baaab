"""Train HolographicClassifier with no setting touched in a process of its own.

    python -m benchmarks.alone.ours '{"inputs": "texts", "given": {}, "seed": 0, "data": "…",
                                      "folder": "…"}'

`inputs` are the texts or the features of benchmarks/prepared.py. `folder` gets the files that
rival.py writes for another tool, and for ensembles `ids.npy` and `chances.npy`: the best labels of
each test point, and their probabilities.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import load_npz

import hrrxml
from benchmarks.alone.rival import K, measured, padded

DEEP = 50  # labels of each point that an ensemble may rank
AT_ONCE = 1000  # points whose labels are listed at once for it


def main(text: str) -> None:
    task = json.loads(text)
    data, model = Path(task["data"]), Path(task["folder"]) / "model"
    points, labels = _read(data, task["inputs"], "train"), load_npz(data / "labels.npz")
    start = time.process_time()
    trained = hrrxml.HolographicClassifier(random_state=task["seed"], n_jobs=1, **task["given"])
    trained.fit(points, labels).save(model)
    seconds = {"train_seconds": round(time.process_time() - start, 2)}
    chosen = _chosen(trained)
    del trained, points, labels
    loaded, test = hrrxml.load(model), _read(data, task["inputs"], "test")
    loaded.n_jobs = 1
    start = time.process_time()
    answers = loaded.predict(test, k=K)
    seconds["predict_seconds"] = round(time.process_time() - start, 2)
    facts = seconds | measured(model) | chosen
    arrays = {"ranking": padded([[label for label, _ in row] for row in answers])}
    _write(model.parent, facts, arrays | _deep(loaded, test))


def _read(data: Path, inputs: str, split: str) -> Any:
    if inputs == "features":
        return load_npz(data / f"{split}.npz")
    with (data / f"{split}.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def _chosen(classifier: Any) -> dict[str, Any]:
    """What the recipe chose, and the columns of its learning curve: one value per epoch."""
    columns = list(classifier.curve_[0]) if classifier.curve_ else []
    return {
        "recipe": asdict(classifier.recipe_),
        "tail": getattr(classifier.fitted_, "tail", None),
        "curve": {name: _rounded(row[name] for row in classifier.curve_) for name in columns},
    }


def _rounded(values: Iterable[float | None]) -> list[float | None]:
    return [None if value is None else round(value, 3) for value in values]


def _deep(classifier: Any, test: Any) -> dict[str, np.ndarray]:
    """`ids` and `chances` of the best labels, −1 and 0 where there are fewer: (points, DEEP)."""
    n = test.shape[0] if hasattr(test, "shape") else len(test)
    ids, chances = np.full((n, DEEP), -1, dtype=np.int32), np.zeros((n, DEEP), dtype=np.float32)
    for row, answer in enumerate(_answers(classifier, test, n)):
        for place, (label, chance) in enumerate(answer):
            ids[row, place], chances[row, place] = label, chance
    return {"ids": ids, "chances": chances}


def _answers(classifier: Any, test: Any, n: int) -> Iterator[list[tuple[int, float]]]:
    for first in range(0, n, AT_ONCE):
        yield from classifier.predict(test[first : first + AT_ONCE], k=DEEP)


def _write(folder: Path, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    (folder / "facts.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1])
