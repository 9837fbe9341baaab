"""What each model gets right, test point by test point: the evidence behind a comparison.

Two models that are ranked on the same points can be compared point by point, which needs more than
their means. A file holds, for every seed, which of the first five predictions are correct and the
inverse propensity of the first one if it is.
"""

from collections.abc import Sequence

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from hrrxml.evaluation.metrics import hits_at_k

K = 5
BITS = 2 ** np.arange(K)  # the place of each rank in a byte


def pack(
    Y_true: csr_matrix, rankings: Sequence[np.ndarray], inv_ps: np.ndarray
) -> dict[str, Tensor]:
    """`hits` (seeds, points), bit k − 1 for rank k, and `first_gain` (seeds, points)."""
    hits = [hits_at_k(Y_true, ranking, K) for ranking in rankings]
    gains = [hit[:, 0] * inv_ps[ranking[:, 0]] for hit, ranking in zip(hits, rankings, strict=True)]
    return {
        "hits": torch.from_numpy(np.stack([(hit @ BITS).astype(np.uint8) for hit in hits])),
        "first_gain": torch.from_numpy(np.stack(gains).astype(np.float16)),
    }


def precision(hits: np.ndarray, k: int) -> np.ndarray:
    """Each point's P@k in percent, from packed hits: (seeds, points)."""
    correct = (hits[..., None] & BITS[:k]) > 0
    return 100 * correct.mean(-1)
