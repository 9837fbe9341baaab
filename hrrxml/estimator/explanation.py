"""Why a label was predicted, and which labels are alike."""

from typing import cast

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.estimator import network
from hrrxml.estimator.inputs import without_each
from hrrxml.heads.holographic import Head
from hrrxml.model import Model

BLOCK = 4096  # labels at a time


@torch.no_grad()
def effects(model: Model, point: Points, label: int, n: int) -> tuple[list[int], list[float]]:
    """The n features of one point with the largest effect on a label's logit, and the effects.

    An effect is the amount by which the logit falls if the feature is left out. It is exact for
    every network; for the linear path it is the feature's own share of the logit.
    """
    model.eval()
    if len(point.features.ids) == 0:
        return [], []
    features = without_each(point.features)
    others = network.points(features, None, point.n_features, point.n_labels)
    whole = _logit(model, point, label)  # (1,)
    change = whole - _logit(model, others, label)  # (features,)
    largest = change.abs().argsort(descending=True, stable=True)[:n]
    order = largest[change[largest].argsort(descending=True, stable=True)]
    return point.features.ids[order].tolist(), change[order].tolist()


def _logit(model: Model, points: Points, label: int) -> Tensor:
    """scale·⟨ŝ, c⟩ + bias for one label: (points,)."""
    head = cast(Head, model.head)
    batch = points.select(torch.arange(len(points))).to(model.device)
    code = head.labels.vectors(torch.tensor([label], device=model.device))[0]
    outputs = head.outputs(model.encode(batch), batch)
    return (head.scale * (outputs @ code) + head.bias[label]).cpu()


@torch.no_grad()
def neighbours(model: Model, label: int, n: int) -> tuple[list[int], list[float]]:
    """The n labels whose feature weights are nearest to a label's, and the cosines.

    The linear path gives label i the feature weights V·c_i. Their inner products are
    c_iᵀ(VᵀV)c_j, so a matrix of d' × d' is all that is needed.
    """
    head = cast(Head, model.head)
    assert head.output.shortcut is not None
    v = head.output.shortcut.weight  # (features, d')
    gram = v.T @ v
    own = head.labels.vectors(torch.tensor([label], device=v.device))[0] @ gram  # (d',)
    cosines = torch.empty(model.n_labels, device=v.device)
    for ids in torch.arange(model.n_labels, device=v.device).split(BLOCK):
        codes = head.labels.vectors(ids)  # (block, d')
        lengths = ((codes @ gram) * codes).sum(1).clamp_min(1e-12).sqrt()
        cosines[ids] = codes @ own / lengths
    length = cosines[label].clamp_min(1e-12).clone()  # ⟨w, w⟩ / ‖w‖ = ‖w‖
    cosines[label] = -torch.inf
    best = cosines.topk(min(n, model.n_labels - 1))
    return best.indices.tolist(), (best.values / length).tolist()
