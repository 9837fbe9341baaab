"""Why a label was predicted, and which labels are alike."""

from collections.abc import Iterator
from typing import cast

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.encoders import fc
from hrrxml.heads.holographic import Head
from hrrxml.model import Model

BLOCK = 4096  # features or labels at a time


@torch.no_grad()
def effects(model: Model, point: Points, label: int, n: int) -> tuple[list[int], list[float]]:
    """The n features of one point with the largest effect on a label's logit, and the effects.

    An effect is the amount by which the logit falls if the feature is left out and the others
    keep their weights. It is exact, with hidden layers too.
    """
    model.eval()
    if len(point.features.ids) == 0:
        return [], []
    head = cast(Head, model.head)
    code = head.labels.vectors(torch.tensor([label], device=model.device))[0]
    batch = point.select(torch.arange(1)).to(model.device)
    whole = head.outputs(model.encode(batch), batch)  # (1, d')
    parts = [(whole - outputs) @ code for outputs in _outputs_without(model, batch)]
    change = (head.scale * torch.cat(parts)).cpu()  # (features,)
    largest = change.abs().argsort(descending=True, stable=True)[:n]
    order = largest[change[largest].argsort(descending=True, stable=True)]
    return point.features.ids[order].tolist(), change[order].tolist()


def _outputs_without(model: Model, batch: Points) -> Iterator[Tensor]:
    """Outputs for one point without its first feature, its second, …: blocks of (features, d').

    The first layers are linear in the features: without a feature, they lose its weight times its
    row. So the cost grows with the number of features, not with its square.
    """
    output, encoder = model.head.output, model.encoder
    assert output.shortcut is not None
    assert batch.features.weights is not None
    hidden = encoder if isinstance(encoder, fc.Encoder) else None
    linear = output.shortcut(batch.features) + output.bias  # (1, d')
    first = None if hidden is None else hidden.words(batch.features) + hidden.bias
    ids, weights = batch.features.ids.split(BLOCK), batch.features.weights.split(BLOCK)
    for rows, part in zip(ids, weights, strict=True):
        outputs = linear - part[:, None] * output.shortcut.weight[rows]
        if hidden is not None:
            encoded = hidden.hidden(first - part[:, None] * hidden.words.weight[rows])
            outputs = outputs + encoded @ output.weight.T
        yield outputs


@torch.no_grad()
def neighbours(model: Model, label: int, n: int, lengths: Tensor) -> tuple[list[int], list[float]]:
    """The n labels whose feature weights are nearest to a label's, and the cosines.

    The linear path gives label i the feature weights V·c_i. Their inner products are
    c_iᵀ(Vᵀ(V·c_j)): no label's weights are made but those of label j. `lengths` are theirs.
    """
    head, v = _linear_path(model)
    own = (v @ head.labels.vectors(torch.tensor([label], device=v.device))[0]) @ v  # (d',)
    cosines = torch.empty(model.n_labels, device=v.device)
    for ids in torch.arange(model.n_labels, device=v.device).split(BLOCK):
        cosines[ids] = head.labels.vectors(ids) @ own / (lengths[ids] * lengths[label])
    cosines[label] = -torch.inf
    best = cosines.topk(min(n, model.n_labels - 1))
    return best.indices.tolist(), best.values.tolist()


@torch.no_grad()
def lengths(model: Model) -> Tensor:
    """The length of each label's feature weights, ‖V·c‖² = cᵀ(VᵀV)c: (labels,).

    A matrix of d' × d' is all that is needed. It is most of the work of finding neighbours.
    """
    head, v = _linear_path(model)
    gram = v.T @ v
    found = torch.empty(model.n_labels, device=v.device)
    for ids in torch.arange(model.n_labels, device=v.device).split(BLOCK):
        codes = head.labels.vectors(ids)  # (block, d')
        found[ids] = ((codes @ gram) * codes).sum(1).clamp_min(1e-12).sqrt()
    return found


def _linear_path(model: Model) -> tuple[Head, Tensor]:
    """The head, and its linear path's weights V: (features, d')."""
    head = cast(Head, model.head)
    assert head.output.shortcut is not None
    return head, head.output.shortcut.weight
