"""Precision and nDCG at 1…k, plain and propensity-scored (eq. 8, 9, 14, 15).

Names and argument order are those of napkinXC. `Y_true` is a sparse or dense label matrix.
`Y_pred` is a ranking: label ids, best first, −1 if nothing was predicted (`rank` computes it
from scores). Every function returns an array for 1…k over the whole test set, with values in
[0, 1]. Points without labels count as zero.
"""

import numpy as np
import torch
from scipy.sparse import csr_matrix

from hrrxml.runtime.errors import UserError
from hrrxml.search.ranking import top_k


def rank(scores: np.ndarray | csr_matrix, k: int) -> np.ndarray:
    """The k best labels of each row, padded with −1: (rows, k). The lower id wins ties.

    In a sparse matrix, only the stored entries are predictions, whatever their scores.
    """
    if isinstance(scores, csr_matrix):
        dense = np.full(scores.shape, -np.inf)
        rows = np.repeat(np.arange(scores.shape[0]), np.diff(scores.indptr))
        dense[rows, scores.indices] = scores.data
        scores = dense
    best = top_k(torch.from_numpy(np.asarray(scores)), k).numpy()
    best = np.where(np.take_along_axis(scores, best, axis=1) == -np.inf, -1, best)
    return np.pad(best, ((0, 0), (0, k - best.shape[1])), constant_values=-1)


def precision_at_k(Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, k: int = 5) -> np.ndarray:
    """P@k, eq. 8: the share of the first k predictions that are correct."""
    hits = hits_at_k(_labels(Y_true), Y_pred, k)
    return (hits.cumsum(1) / np.arange(1, k + 1)).mean(0)


def recall_at_k(Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, k: int = 5) -> np.ndarray:
    """R@k: the share of a point's labels that are among its first k predictions."""
    Y_true = _labels(Y_true)
    sizes = np.maximum(1, np.diff(Y_true.indptr))[:, None]
    return (hits_at_k(Y_true, Y_pred, k).cumsum(1) / sizes).mean(0)


def rprecision_at_k(Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, k: int = 5) -> np.ndarray:
    """RP@k: the first k predictions that are correct, of as many as could be: min(k, |y|)."""
    Y_true = _labels(Y_true)
    sizes = np.maximum(1, np.diff(Y_true.indptr))[:, None]
    possible = np.minimum(sizes, np.arange(1, k + 1))
    return (hits_at_k(Y_true, Y_pred, k).cumsum(1) / possible).mean(0)


def psprecision_at_k(
    Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, inv_ps: np.ndarray, k: int = 5
) -> np.ndarray:
    """PSP@k: hits weighted by inverse propensity, divided by the best possible value.

    Eq. 9 as printed does not have this normalisation, but the printed tables do.
    """
    gains, best = _ps_gains(_labels(Y_true), Y_pred, inv_ps, k)
    return gains.cumsum(1).sum(0) / best.cumsum(1).sum(0)


def ndcg_at_k(Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, k: int = 5) -> np.ndarray:
    """nDCG@k, eq. 14."""
    Y_true = _labels(Y_true)
    hits = hits_at_k(Y_true, Y_pred, k)
    return ((hits * _discounts(k)).cumsum(1) / _ideal_dcg(Y_true, k)).mean(0)


def psndcg_at_k(
    Y_true: np.ndarray | csr_matrix, Y_pred: np.ndarray, inv_ps: np.ndarray, k: int = 5
) -> np.ndarray:
    """PSnDCG@k, eq. 15, divided by the best possible value.

    As in the usual tools, a point with |y| < k labels is divided by a sum over its |y| ranks.
    Eq. 15 as printed has the sum over all k ranks for every point.
    """
    Y_true = _labels(Y_true)
    gains, best = _ps_gains(Y_true, Y_pred, inv_ps, k)
    ideal = _ideal_dcg(Y_true, k)
    discounts = _discounts(k)
    value = ((gains * discounts).cumsum(1) / ideal).sum(0)
    return value / ((best * discounts).cumsum(1) / ideal).sum(0)


def Jain_et_al_inverse_propensity(
    Y: np.ndarray | csr_matrix, A: float = 0.55, B: float = 1.5
) -> np.ndarray:
    """Each label's inverse propensity, 1 + C·(N_l + B)^(−A), C = (ln N − 1)(B + 1)^A.

    N is the number of points, N_l the number of points with label l. A, B are 0.55, 1.5 by
    default; 0.6, 2.6 for Amazon-670K; 0.5, 0.4 for WikiLSHTC-325K and Wikipedia-500K.
    """
    Y = _labels(Y)
    return inverse_propensity(np.bincount(Y.indices, minlength=Y.shape[1]), Y.shape[0], A, B)


def inverse_propensity(
    counts: np.ndarray, n_points: int, A: float = 0.55, B: float = 1.5
) -> np.ndarray:
    """The inverse propensities of labels that `counts` of n points have."""
    C = (np.log(n_points) - 1) * (B + 1) ** A
    return 1 + C * (counts + B) ** (-A)


def all_metrics(
    Y_true: csr_matrix, Y_pred: np.ndarray, inv_ps: np.ndarray, k: int = 5
) -> dict[str, float]:
    """Every metric in percent: `P@1` … `PSnDCG@5`."""
    families = {
        "P": precision_at_k(Y_true, Y_pred, k),
        "PSP": psprecision_at_k(Y_true, Y_pred, inv_ps, k),
        "nDCG": ndcg_at_k(Y_true, Y_pred, k),
        "PSnDCG": psndcg_at_k(Y_true, Y_pred, inv_ps, k),
    }
    return {
        f"{name}@{at}": 100 * float(value)
        for name, values in families.items()
        for at, value in enumerate(values, start=1)
    }


def _labels(Y: np.ndarray | csr_matrix) -> csr_matrix:
    matrix = csr_matrix(Y, copy=True)
    matrix.eliminate_zeros()
    return matrix


def hits_at_k(Y_true: csr_matrix, Y_pred: np.ndarray, k: int) -> np.ndarray:
    """1.0 if a prediction is correct, else 0.0: (points, k). `Y_true` stores no zeros."""
    if len(Y_pred) != Y_true.shape[0]:
        raise ValueError(f"{len(Y_pred)} predictions for {Y_true.shape[0]} points")
    if Y_pred.shape[1] < k:
        raise ValueError(f"{Y_pred.shape[1]} predictions per point are too few for k = {k}")
    Y_pred = Y_pred[:, :k]
    if Y_pred.max(initial=-1) >= Y_true.shape[1]:
        raise ValueError(f"label {Y_pred.max()} predicted, but there are {Y_true.shape[1]} labels")
    rows = np.broadcast_to(np.arange(len(Y_pred))[:, None], Y_pred.shape)
    right = np.asarray(Y_true[rows.ravel(), Y_pred.ravel()]).reshape(Y_pred.shape) != 0
    return (right & (Y_pred >= 0)).astype(float)


def _ps_gains(
    Y_true: csr_matrix, Y_pred: np.ndarray, inv_ps: np.ndarray, k: int
) -> tuple[np.ndarray, np.ndarray]:
    """Inverse propensities of the hits, and of the best k true labels: (points, k) each."""
    if len(Y_true.indices) == 0:
        raise UserError("no test point has a label: propensity-scored metrics are undefined")
    gains = hits_at_k(Y_true, Y_pred, k) * inv_ps[Y_pred[:, :k]]
    rows = np.repeat(np.arange(Y_true.shape[0]), np.diff(Y_true.indptr))
    weights = inv_ps[Y_true.indices]
    order = np.lexsort((-weights, rows))
    place = np.arange(len(rows)) - Y_true.indptr[rows]  # within the row, best first
    kept = place < k
    best = np.zeros((Y_true.shape[0], k))
    best[rows[kept], place[kept]] = weights[order][kept]
    return gains, best


def _discounts(k: int) -> np.ndarray:
    return 1 / np.log2(np.arange(2, k + 2))


def _ideal_dcg(Y_true: csr_matrix, k: int) -> np.ndarray:
    """DCG at 1…k of a perfect ranking: (points, k); 1 for a point without labels."""
    possible = np.diff(Y_true.indptr)[:, None] > np.arange(k)
    ideal = (possible * _discounts(k)).cumsum(1)
    return np.where(ideal > 0, ideal, 1.0)
