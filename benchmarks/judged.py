"""What a ranking of the test points is worth, and what is kept of it point by point.

Kept is how frequent each right label is: 1 more than its number of points to learn from, and 0
where the label is wrong. This gives each point's share of P@k, PSP@k and nDCG@k, and says which
labels a method finds: frequent ones or rare ones. `truth` has the same of the test points' own
labels: how many there are, and the five rarest.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.kept import Result
from benchmarks.prepared import Prepared
from hrrxml.evaluation.metrics import all_metrics, hits_at_k
from hrrxml.evaluation.scoring import by_metric
from hrrxml.runtime import machine
from hrrxml.runtime.progress import bar

K = 5
COSTS = ("train_seconds", "predict_seconds", "peak_mb", "bytes")
GROUPS = ("head", "middle", "tail")

# A dataset's name and the number of seeds → its result, and an array for each method.
Measure = Callable[[str, int], tuple[dict[str, Any], dict[str, np.ndarray]]]


def summary(data: Prepared, results: Sequence[Result]) -> dict[str, Any]:
    """One value per result of each metric, under `metrics`, and of each cost."""
    rated = [metrics(data, result.arrays["ranking"]) for result in results]
    costs = {name: [result.facts[name] for result in results] for name in COSTS}
    return {"metrics": by_metric(rated)} | costs


def by_point(data: Prepared, results: Sequence[Result]) -> np.ndarray:
    """(results, points, K)"""
    return np.stack([found(data, result.arrays["ranking"]) for result in results])


def describe(data: Prepared) -> dict[str, Any]:
    """What was learned from, and what is needed to read what is kept by point."""
    return {
        "sizes": data.sizes,
        "features_seconds": data.seconds,
        "propensity": data.propensity.model_dump(),
        "groups": groups(data),
        "data": data.digest,
    }


def metrics(data: Prepared, ranking: np.ndarray) -> dict[str, float]:
    """Every metric in percent, `P@1` … `nDCG@5`."""
    found = all_metrics(data.truth, ranking, data.inv_ps)
    return {name: round(value, 3) for name, value in found.items() if "PSn" not in name}


def found(data: Prepared, ranking: np.ndarray) -> np.ndarray:
    """How frequent each right label is, plus 1; 0 where it is wrong: (points, K)."""
    hits = hits_at_k(data.truth, ranking, K) > 0
    return compact(np.where(hits, 1 + data.counts[ranking], 0))


def truth(data: Prepared) -> dict[str, np.ndarray]:
    """`labels` (points,), and `rarest` (points, K): 1 + how frequent; 0 where there are fewer."""
    labels = data.truth.tocsr()
    rarest = np.zeros((labels.shape[0], K), dtype=np.int64)
    for row, (start, end) in enumerate(zip(labels.indptr, labels.indptr[1:], strict=False)):
        counts = np.sort(1 + data.counts[labels.indices[start:end]])[:K]
        rarest[row, : len(counts)] = counts
    return {"truth.labels": compact(np.diff(labels.indptr)), "truth.rarest": compact(rarest)}


def compact(counts: np.ndarray) -> np.ndarray:
    """In the smallest type that holds them."""
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def groups(data: Prepared) -> dict[str, Any]:
    """Head, middle and tail: the most frequent labels have a third of all that points have.

    For each group its labels, their least number of points, and how often test points have one.
    """
    order = np.argsort(-data.counts, kind="stable")
    share = data.counts[order].cumsum() / data.counts.sum()
    ends = [int(np.searchsorted(share, part)) for part in (1 / 3, 2 / 3)]
    least = [int(data.counts[order][end]) for end in ends] + [0]
    most = [int(data.counts.max()) + 1, *least[:-1]]
    occurring = data.counts[data.truth.tocsr().indices]
    return {
        group: {
            "least": low,
            "labels": int(((data.counts >= low) & (data.counts < high)).sum()),
            "test": int(((occurring >= low) & (occurring < high)).sum()),
        }
        for group, low, high in zip(GROUPS, least, most, strict=True)
    }


def everything(title: str, seeds: Mapping[str, int], measure: Measure) -> dict[str, Any]:
    """Each dataset with so many seeds, and under `by_point` what is kept point by point.

    `measure` gives a dataset's result, and an array for each of its methods.
    """
    measured: dict[str, Any] = {}
    by_point: dict[str, np.ndarray] = {}
    for dataset, n in bar(seeds.items(), desc=title, unit="dataset"):
        measured[dataset], arrays = measure(dataset, n)
        by_point |= {f"{dataset}/{name}": array for name, array in arrays.items()}
    return {"machine": machine.describe(), "datasets": measured, "by_point": by_point}
