"""Teach labels that were added after training, from their first examples and without an epoch.

The linear path gives label i the feature weights V·c_i. The codes are nearly orthonormal. So adding
w·c_iᵀ to V gives label i the weights w, and changes those of label j by ⟨c_i, c_j⟩·w: not at all if
both codes are rolls of one base, and little otherwise. Gradient steps alone need many passes to get
as far, because a new label's examples are few among all the others.
"""

from typing import cast

import numpy as np
import torch
import torch.nn.functional as F
from scipy.sparse import csr_matrix
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.estimator.seen import Seen
from hrrxml.heads.holographic import Head
from hrrxml.model import Model

# The length of a new label's weights, as a share of the trained labels' median length: n / (n + 1)
# of this with n examples, because few examples tell less. Chosen on validation points of
# StackExchange and WordNet: shorter weights find fewer new labels, and longer ones cost up to
# fourteen points of P@1 on WordNet.
STRENGTH = 0.6
SAMPLE = 2048  # trained labels whose lengths are looked at
BLOCK = 64  # labels at a time


@torch.no_grad()
def teach_unseen(model: Model, points: Points, seen: Seen) -> None:
    """Teach the labels of these points that no point had so far."""
    present = points.labels.ids.unique()
    new = present[seen.counts[present] == 0]
    if len(new) and seen.counts.any():
        _teach(model, points, new, seen)


def _teach(model: Model, points: Points, new: Tensor, seen: Seen) -> None:
    """Give each new label the direction in which its points differ from the mean point."""
    head = cast(Head, model.head)
    assert head.output.shortcut is not None
    weight = head.output.shortcut.weight  # (features, d')
    n = torch.bincount(points.labels.ids, minlength=points.n_labels)[new]
    typical = _typical_length(head, weight, seen.counts.nonzero()[:, 0])
    lengths = (STRENGTH * typical * n / (n + 1)).to(weight)  # (new,)
    means = _means(points, new)  # (new, features)
    for start in range(0, len(new), BLOCK):
        ids = new[start : start + BLOCK].to(weight.device)
        rows = torch.from_numpy(means[start : start + BLOCK].toarray()).to(weight)
        directions = F.normalize(rows - seen.mean.to(weight), dim=1)
        taught = lengths[start : start + BLOCK, None] * directions  # (block, features)
        weight.add_(taught.T @ head.labels.vectors(ids))


def _typical_length(head: Head, weight: Tensor, trained: Tensor) -> float:
    """The median length of the feature weights V·c of trained labels."""
    chosen = trained[:: max(1, len(trained) // SAMPLE)].to(weight.device)
    gram = weight.T @ weight  # (d', d'): ‖V·c‖² = cᵀ(VᵀV)c
    codes = head.labels.vectors(chosen)
    return float(((codes @ gram) * codes).sum(1).clamp_min(0).sqrt().median())


def _means(points: Points, labels: Tensor) -> csr_matrix:
    """The mean features of each label's points: (labels, features)."""
    belongs = points.labels.to_csr(points.n_labels)[:, labels.numpy()].T.tocsr()
    counts = np.maximum(1, np.diff(belongs.indptr))
    belongs.data = (1 / counts.repeat(np.diff(belongs.indptr))).astype(np.float32)
    return belongs @ points.features.to_csr(points.n_features)
