"""The holographic head, with vectors of labels that co-occur made alike.

GLaS's knowledge in a codebook that is still a few bases. Labels that share a slot, the same roll
of every base, form a group; groups are made of labels that co-occur, and the bases have a cosine
`agreement` with one another, which is then the cosine of any two labels of a group (of those, too,
that co-occur with none and fill the groups up). All other pairs stay as they were, orthogonal or
nearly so, and scores still take O(L log d').
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Annotated

import torch
from pydantic import Field
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml.data import adjacency
from hrrxml.data.adjacency import Measure
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.layers.exact_head import ExactHead, ExactSettings
from hrrxml.runtime.errors import UserError
from hrrxml.vsa import hrr


class Settings(ExactSettings):
    agreement: Annotated[float, Field(ge=0, lt=1)]
    adjacency: Measure


class Head(ExactHead):
    slot: Tensor
    label: Tensor

    @staticmethod
    def tables(  # type: ignore[override]
        settings: Settings, train: Points, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """As `holographic`, by slot; `slot` of each label."""
        d, n_labels = settings.dim, train.n_labels
        if n_labels <= d:
            raise UserError(
                f"grouped.dim: {d} slots for {n_labels} labels leave each label one of its own; "
                "lower it, or take head holographic"
            )
        tables = ExactHead.tables(settings, train, generator)
        u = adjacency.adjacency(train.labels, n_labels, settings.adjacency)
        slot = assign_slots(u, d)
        label = slot.argsort()
        bases = agreeing_bases(len(tables["bases"]), d, settings.agreement, generator)
        return tables | {"bases": bases, "prior": tables["prior"][label], "slot": slot}

    def __init__(
        self, settings: Settings, width: int, n_features: int, tables: Mapping[str, Tensor]
    ) -> None:
        super().__init__(settings, width, n_features, tables)
        self.register_buffer("slot", tables["slot"], persistent=False)
        self.register_buffer("label", tables["slot"].argsort(), persistent=False)

    def loss(self, encoded: Tensor, batch: Points) -> Tensor:
        labels = replace(batch.labels, ids=self.slot[batch.labels.ids])
        return super().loss(encoded, replace(batch, labels=labels))

    def scores(self, encoded: Tensor, batch: Points) -> Tensor:
        return super().scores(encoded, batch)[:, self.slot]

    def top_k(self, encoded: Tensor, batch: Points, k: int) -> Tensor:
        return self.label[super().top_k(encoded, batch, k)]


def agreeing_bases(n: int, d: int, agreement: float, generator: torch.Generator) -> Tensor:
    """Unitary vectors, each two with a cosine of about `agreement`: (n, d).

    Each is one unitary vector with its phases shifted by a normal variable of variance
    −log agreement: the mean of e^{i(ε−ε')} is then `agreement`.
    """
    if agreement == 0:
        return hrr.project(hrr.random(n, d, generator=generator))
    common = rfft(hrr.project(hrr.random(1, d, generator=generator)))
    shift = torch.randn(n, common.shape[1], generator=generator) * math.sqrt(-math.log(agreement))
    shift[:, 0] = 0  # real, in the spectrum of a real vector; so is the last of an even d
    if d % 2 == 0:
        shift[:, -1] = 0
    return irfft(common * torch.polar(torch.ones_like(shift), shift), n=d)


def assign_slots(u: Bags, d: int) -> Tensor:
    """Where each label goes, b·d + k: those of a group have the same k. (labels,)

    Greedy: the label that occurs with the most others founds a group, which takes whoever is
    nearest to all its members until it is full or nobody near is free; then the next one founds
    another. Those left over join the open group nearest to them, or any if none is near.
    """
    n = len(u)
    near = _neighbours(u)
    order = u.lengths.argsort(descending=True, stable=True).tolist()
    sizes = [len(range(k, n, d)) for k in range(d)]
    group_of: dict[int, int] = {}
    groups: list[list[int]] = []
    free = (label for label in order if label not in group_of)
    for k, founder in zip(range(d), free, strict=False):
        groups.append(_grow(founder, sizes[k], near, group_of))
        group_of |= dict.fromkeys(groups[k], k)
    first_open = 0
    for label in free:
        pull: dict[int, float] = {}
        for other, weight in near[label].items():
            k = group_of.get(other, -1)
            if k >= 0 and len(groups[k]) < sizes[k]:
                pull[k] = pull.get(k, 0) + weight
        while len(groups[first_open]) == sizes[first_open]:
            first_open += 1
        nearest = max(pull, key=lambda k: (pull[k], -k)) if pull else first_open
        groups[nearest].append(label)
        group_of[label] = nearest
    slot = torch.empty(n, dtype=torch.int64)
    for k, members in enumerate(groups):
        slot[members] = torch.arange(k, n, d)
    return slot


def _neighbours(u: Bags) -> list[dict[int, float]]:
    """Of each label, those it occurs with, and how much."""
    assert u.weights is not None
    ids, weights, ends = u.ids.tolist(), u.weights.tolist(), u.offsets.tolist()
    rows = [dict(zip(ids[a:b], weights[a:b], strict=True)) for a, b in pairwise(ends)]
    for label, row in enumerate(rows):
        row.pop(label, None)
    return rows


def _grow(
    founder: int, size: int, near: list[dict[int, float]], taken: Mapping[int, int]
) -> list[int]:
    """A group of at most `size`: again and again whoever is nearest to all in it."""
    group = [founder]
    pull = {label: weight for label, weight in near[founder].items() if label not in taken}
    while pull and len(group) < size:
        newest = max(pull, key=lambda label: (pull[label], -label))
        group.append(newest)
        for label, weight in near[newest].items():
            if label not in taken:
                pull[label] = pull.get(label, 0) + weight
        for member in group:
            pull.pop(member, None)
    return group
