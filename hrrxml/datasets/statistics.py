"""Statistics of a dataset, to check what was read and to compare it with the paper's Table 6."""

from pathlib import Path
from typing import Any

import torch

from hrrxml.config.schema import Expected
from hrrxml.datasets.corpus import Corpus
from hrrxml.runtime.errors import UserError

ROUNDING = 0.015  # two decimals are published, and not all are rounded the same way


def describe(corpus: Corpus) -> dict[str, Any]:
    """The statistics of Table 6, over all points and over the training points."""
    parts = [corpus.train] if corpus.test is None else [corpus.train, corpus.test]
    points = [len(part) for part in parts]
    labelled = [len(part.labels.ids) for part in parts]
    skipped = {"skipped": corpus.skipped} if corpus.skipped else {}
    return skipped | {
        "points": points,
        "features": corpus.n_features,
        "labels": corpus.n_labels,
        "labels_per_point": round(sum(labelled) / sum(points), 2),
        "train_labels_per_point": round(labelled[0] / points[0], 2),
        "points_per_label": round(sum(labelled) / corpus.n_labels, 2),
        "train_points_per_label": round(labelled[0] / corpus.n_labels, 2),
        "points_without_labels": sum(int((part.labels.lengths == 0).sum()) for part in parts),
    }


def commonest_labels(corpus: Corpus) -> list[list[Any]]:
    """The five most frequent labels, each with its number of training points."""
    counts = torch.bincount(corpus.train.labels.ids, minlength=corpus.n_labels)
    best = counts.argsort(descending=True, stable=True)[:5].tolist()  # ties to the lower id
    return [[corpus.label_names[i] if corpus.label_names else i, int(counts[i])] for i in best]


def check(corpus: Corpus, expect: Expected, source: Path) -> None:
    """Refuse a corpus whose statistics differ from `expect` in its params.yaml entry."""
    if not len(corpus.train) or (corpus.test is not None and not len(corpus.test)):
        raise UserError(f"{source}: the dataset has no points")
    if corpus.n_labels == 0:
        raise UserError(f"{source}: the dataset has no labels")
    actual = describe(corpus)
    actual["per_point"] = actual["labels_per_point"]
    wrong = [
        f"{name} {actual[name]} instead of {value}"
        for name, value in expect.model_dump(exclude_none=True).items()
        if not _same(actual[name], value)
    ]
    if wrong:
        raise UserError(
            f"{source}: {', '.join(wrong)}; use the expected version of the dataset. If you "
            f"changed its layout in params.yaml, change its `expect` too"
        )


def _same(actual: Any, value: Any) -> bool:
    if isinstance(value, float):
        return abs(actual - value) <= ROUNDING
    return bool(actual == value)
