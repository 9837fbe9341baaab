"""How common each label is, where a head's biases start."""

import torch
from torch import Tensor

from hrrxml.data.points import Points


def log_odds(train: Points) -> Tensor:
    """Of each label in the training split, smoothed by one point: (labels,)."""
    share = (counts(train) + 1) / (len(train) + 2)
    return share.logit().float()


def counts(train: Points) -> Tensor:
    """Points with each label: (labels,)."""
    return torch.bincount(train.labels.ids, minlength=train.n_labels).double()
