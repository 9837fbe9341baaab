"""A dataset's points as files, which programs that train one model each read.

    .checkpoints/benchmarks/bibtex/data/train.npz    features to learn from: (points, features)
                                        labels.npz   their labels: (points, labels)
                                        test.npz     features of the test points
                                        train.txt    the first two in the format that omikuji reads
                                        train.jsonl, test.jsonl    the texts, if there are any

Features are the dataset's own, or tf-idf of its words: of those that two texts have, weighted with
the logarithm of their counts. Rows have length 1, as omikuji and napkinXC make them in any case;
PECOS takes them as they are.
"""

import hashlib
import json
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, save_npz
from sklearn.preprocessing import normalize

from benchmarks import corpora
from hrrxml.config import params
from hrrxml.config.schema import Propensity
from hrrxml.evaluation.metrics import Jain_et_al_inverse_propensity
from hrrxml.peers import repository_format
from hrrxml.runtime.files import replacing

FOLDER = Path(".checkpoints/benchmarks")


@dataclass(frozen=True)
class Prepared:
    dataset: str
    folder: Path
    has_texts: bool
    truth: csr_matrix  # labels of the test points
    counts: np.ndarray  # points to learn from, for each label
    sizes: dict[str, int]  # points to learn from, test points, features and labels
    propensity: Propensity
    inv_ps: np.ndarray  # inverse propensity of each label
    seconds: float  # core-seconds to make the features; 0 for those of the dataset
    digest: str  # of all points


def prepare(dataset: str) -> Prepared:
    found = corpora.load(dataset)
    start = time.process_time()
    train, test = (normalize(rows) for rows in corpora.features(found))
    seconds = time.process_time() - start
    propensity = params.load_dataset(dataset)[0].propensity
    folder = FOLDER / dataset / "data"
    matrices = {"train": train, "labels": found.labels, "test": test}
    for name, matrix in matrices.items():
        with replacing(folder / f"{name}.npz") as temporary:
            save_npz(temporary, matrix.astype(np.float32), compressed=False)
    with replacing(folder / "train.txt") as temporary:
        temporary.write_bytes(repository_format(train, found.labels))
    has_texts = isinstance(found.inputs, list)
    if has_texts:
        _write_lines(folder / "train.jsonl", found.inputs)
        _write_lines(folder / "test.jsonl", found.test_inputs)
    return Prepared(
        dataset=dataset,
        folder=folder.resolve(),
        has_texts=has_texts,
        truth=found.test_labels,
        counts=np.asarray((found.labels != 0).sum(axis=0)).ravel(),
        sizes={
            "points": train.shape[0],
            "test_points": test.shape[0],
            "features": train.shape[1],
            "labels": found.labels.shape[1],
        },
        propensity=propensity,
        inv_ps=Jain_et_al_inverse_propensity(found.labels, propensity.a, propensity.b),
        seconds=round(seconds, 1) if has_texts else 0.0,
        digest=_digest([*matrices.values(), found.test_labels]),
    )


def _write_lines(path: Path, texts: Iterable[str]) -> None:
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in texts)


def _digest(matrices: Iterable[csr_matrix]) -> str:
    digest = hashlib.sha256()
    for matrix in matrices:
        parts: tuple[Any, ...] = (matrix.data, matrix.indices, matrix.indptr)
        for part, kind in zip(parts, (np.float32, np.int32, np.int64), strict=True):
            digest.update(np.ascontiguousarray(part, dtype=kind).data)
    return digest.hexdigest()[:16]
