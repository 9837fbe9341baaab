"""Frequent labels, labels of few training points and of none, each group apart.

So Chalkidis et al. (2019) rate models on EURLEX57K. R@k, RP@k and nDCG@k of a group rank its
labels alone, over the test points that have one of them. F1 of a group is micro-averaged over all
test points: a label of the group is predicted if it is among a point's best `MOST` of the group and
reaches a threshold. The threshold is the same for all groups, the one that gives the best F1 over
all labels on the validation split.
"""

import numpy as np
import torch
from scipy.sparse import csr_matrix, diags
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.evaluation import metrics
from hrrxml.model import Model

K = 5
MOST = 50  # labels of a group that a point may be given


def by_group(model: Model, splits: dict[str, Points], few: int) -> dict[str, dict[str, float]]:
    """Metrics in percent for each group that has labels; rare labels have 1 to `few` points."""
    train = splits["train"]
    counts = torch.bincount(train.labels.ids, minlength=train.n_labels)
    groups = {
        "all": counts >= 0,
        "frequent": counts > few,
        "few": (counts > 0) & (counts <= few),
        "zero": counts == 0,
    }
    threshold = best_threshold(*_best(model, splits["validation"], groups["all"]))
    return {
        name: _rate(*_best(model, splits["test"], among), threshold) | {"labels": int(among.sum())}
        for name, among in groups.items()
        if among.any()
    }


def _best(model: Model, points: Points, among: Tensor) -> tuple[csr_matrix, np.ndarray, np.ndarray]:
    """The true labels among some, and the ids and scores of the best of these for each point."""
    ids = np.full((len(points), MOST), -1)
    scores = np.full((len(points), MOST), -np.inf, dtype=np.float32)
    for rows, found, values in model.search(points, MOST, among.to(model.device)):
        outside = values == -torch.inf  # fewer than MOST labels are in the group
        ids[rows.numpy(), : found.shape[1]] = found.masked_fill(outside, -1).numpy()
        scores[rows.numpy(), : found.shape[1]] = values.float().numpy()
    truth = csr_matrix(points.labels.to_csr(points.n_labels) @ diags(among.numpy().astype(float)))
    truth.eliminate_zeros()
    return truth, ids, scores


def _rate(
    truth: csr_matrix, ids: np.ndarray, scores: np.ndarray, threshold: float
) -> dict[str, float]:
    labelled = np.flatnonzero(np.diff(truth.indptr))
    if not len(labelled):
        return {"points": 0}
    rated, ranking = truth[labelled], ids[labelled]
    families = {
        "R": metrics.recall_at_k(rated, ranking, K),
        "RP": metrics.rprecision_at_k(rated, ranking, K),
        "nDCG": metrics.ndcg_at_k(rated, ranking, K),
    }
    found = {
        f"{name}@{k}": round(100 * float(value), 2)
        for name, values in families.items()
        for k, value in enumerate(values, start=1)
    }
    f1 = round(100 * micro_f1(truth, ids, scores >= threshold), 2)
    return found | {"F1": f1, "points": len(labelled)}


def micro_f1(truth: csr_matrix, ids: np.ndarray, predicted: np.ndarray) -> float:
    """F1 over all pairs of a point and a label; `predicted` says which of `ids` are."""
    hits = metrics.hits_at_k(truth, ids, ids.shape[1])
    return float(2 * hits[predicted].sum() / max(1, (predicted & (ids >= 0)).sum() + truth.nnz))


def best_threshold(truth: csr_matrix, ids: np.ndarray, scores: np.ndarray) -> float:
    """The score from which on labels should be predicted, for the best micro-averaged F1."""
    real = ids >= 0
    order = np.argsort(-scores[real], kind="stable")
    hits = metrics.hits_at_k(truth, ids, ids.shape[1])[real][order]
    falling = scores[real][order]
    f1 = 2 * hits.cumsum() / (np.arange(1, len(hits) + 1) + truth.nnz)
    last = np.append(np.diff(falling) != 0, True)  # equal scores are predicted together
    return float(falling[np.where(last, f1, -1).argmax()])
