"""The holographic head with similar vectors for labels that co-occur.

It adds the co-occurrence of GLaS to a circulant codebook. Labels with the same roll k of every base
form a group. Labels that co-occur are put into the same group. Any two bases have the cosine
`agreement`, so any two labels of a group have it too, including labels that only fill up a group.
All other pairs stay orthogonal or nearly orthogonal, and scores still take O(L log d').
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
        """The tables of `holographic`, ordered by slot, and the `slot` of each label."""
        d, n_labels = settings.dim, train.n_labels
        if n_labels <= d:
            raise UserError(
                f"grouped.dim: with {d} slots for {n_labels} labels no two labels share a group; "
                "lower it, or use the head holographic"
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

    def top_k(
        self, encoded: Tensor, batch: Points, k: int, among: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        slots = None if among is None else among[self.label]
        ids, scores = super().top_k(encoded, batch, k, slots)
        return self.label[ids], scores


def agreeing_bases(n: int, d: int, agreement: float, generator: torch.Generator) -> Tensor:
    """Unitary vectors; any two have a cosine of about `agreement`: (n, d).

    Each is the same unitary vector with its phases shifted by normal variables ε of variance
    −log agreement. Then the mean of e^{i(ε−ε')} is `agreement`.
    """
    if agreement == 0:
        return hrr.project(hrr.random(n, d, generator=generator))
    common = rfft(hrr.project(hrr.random(1, d, generator=generator)))
    shift = torch.randn(n, common.shape[1], generator=generator) * math.sqrt(-math.log(agreement))
    shift[:, 0] = 0  # stays real, as in every real vector; so does the last for even d
    if d % 2 == 0:
        shift[:, -1] = 0
    return irfft(common * torch.polar(torch.ones_like(shift), shift), n=d)


def assign_slots(u: Bags, d: int) -> Tensor:
    """The slot b·d + k of each label; the labels of a group have the same k: (labels,).

    The assignment is greedy. The free label with the most neighbours founds a group. The group adds
    the free label nearest to all its members until it is full or has no free neighbour. Then the
    next label founds a group. The labels that remain join the nearest group that is not full, or
    the first one that is not full if they have no neighbour in any.
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
    """The neighbours of each label, with their weights in U."""
    assert u.weights is not None
    ids, weights, ends = u.ids.tolist(), u.weights.tolist(), u.offsets.tolist()
    rows = [dict(zip(ids[a:b], weights[a:b], strict=True)) for a, b in pairwise(ends)]
    for label, row in enumerate(rows):
        row.pop(label, None)
    return rows


def _grow(
    founder: int, size: int, near: list[dict[int, float]], taken: Mapping[int, int]
) -> list[int]:
    """A group of at most `size` labels. Each step adds the label nearest to all members."""
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
