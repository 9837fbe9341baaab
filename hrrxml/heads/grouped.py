"""The holographic head, with vectors of labels that co-occur made alike.

GLaS's knowledge in a codebook that is still a few bases. Labels that share a slot, the same roll
of every base, form a group; groups are made of labels that co-occur, and the bases have a cosine
`agreement` with one another, which is then the cosine of any two labels of a group. All other pairs
stay as they were, orthogonal or nearly so, and scores still take O(L log d').
"""

import math
from collections.abc import Mapping
from dataclasses import replace

import torch
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml import adjacency
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.errors import UserError
from hrrxml.heads import holographic
from hrrxml.schema import Grouped
from hrrxml.vsa import hrr


class Head(holographic.Head):
    slot: Tensor
    label: Tensor

    @staticmethod
    def tables(  # type: ignore[override]
        settings: Grouped, train: Points, generator: torch.Generator
    ) -> dict[str, Tensor]:
        """As `holographic`, by slot; `slot` of each label."""
        d, n_labels = settings.dim, train.n_labels
        if n_labels <= d:
            raise UserError(
                f"grouped.dim: {d} slots for {n_labels} labels leave each label one of its own; "
                "lower it, or take head holographic"
            )
        tables = holographic.Head.tables(settings, train, generator)
        u = adjacency.adjacency(train.labels, n_labels, settings.adjacency)
        slot = assign_slots(u, d)
        label = slot.argsort()
        bases = agreeing_bases(len(tables["bases"]), d, settings.agreement, generator)
        return tables | {"bases": bases, "prior": tables["prior"][label], "slot": slot}

    def __init__(
        self, settings: Grouped, width: int, n_features: int, tables: Mapping[str, Tensor]
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

    Greedy: the commonest label without a group (by the number of those it occurs with) founds
    one and takes its nearest that are free. Whoever is left fills up what others have left.
    """
    n_labels = len(u)
    assert u.weights is not None
    slot = torch.full((n_labels,), -1)
    groups = iter([list(range(k, n_labels, d)) for k in range(d)])  # the slots of each
    left: list[int] = []
    for founder in u.lengths.argsort(descending=True, stable=True).tolist():
        if slot[founder] >= 0 or (places := next(groups, None)) is None:
            continue
        start, end = u.offsets[founder], u.offsets[founder + 1]
        near = u.ids[start:end][u.weights[start:end].argsort(descending=True, stable=True)].long()
        near = near[(slot[near] < 0) & (near != founder)][: len(places) - 1]
        members = torch.cat([torch.tensor([founder]), near])
        slot[members] = torch.tensor(places[: len(members)])
        left += places[len(members) :]
    homeless = (slot < 0).nonzero()[:, 0]
    slot[homeless] = torch.tensor(left, dtype=torch.int64)
    return slot
