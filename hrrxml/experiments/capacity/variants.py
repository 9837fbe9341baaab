"""The variants that the capacity figures compare.

Each is an algebra with a way to draw vectors and a way to unbind. An algebra of hrrxml/vsa without
a variant in SPECIAL gets a default variant from its own functions.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import pandas as pd
import torch
from torch import Tensor

from hrrxml import vsa
from hrrxml.vsa import hrr, mapc, vtb

Draw = Callable[[int, int, int, torch.Generator], Tensor]  # trials, n, d → (trials, n, d)


@dataclass(frozen=True)
class Variant:
    algebra: str
    name: str
    bind: Callable[[Tensor, Tensor], Tensor]
    unbind: Callable[[Tensor, Tensor], Tensor]
    bundle: Callable[[Tensor], Tensor]
    keys: Draw
    symbols: Draw  # the symbols bound to the keys and the distractors, drawn together
    response: Callable[[int], float] = lambda d: 1.0  # mean of ⟨x, unbind(bind(x, y), y)⟩
    predictable: bool = True  # whether theory.py has a formula for it

    @property
    def label(self) -> str:
        return f"{self.algebra}, {self.name}"


def independent(random: Callable[..., Tensor]) -> Draw:
    """Draw independent vectors with an algebra's `random`."""

    def draw(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
        return random(trials * n, d, generator=generator).view(trials, n, d)

    return draw


def projected(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return hrr.project(independent(hrr.random)(trials, n, d, generator))


def circulant(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    """n different rotations of ⌈n/d⌉ unitary vectors, as in the circulant codebook.

    The d rotations of one unitary vector are exactly orthonormal.
    """
    bases = projected(trials, math.ceil(n / d), d, generator)
    rotations = bases.shape[1] * d
    chosen = torch.rand(trials, rotations, generator=generator).argsort(-1)[:, :n]
    base, k = chosen.unsqueeze(-1) // d, chosen.unsqueeze(-1) % d
    trial = torch.arange(trials).view(-1, 1, 1)
    return bases[trial, base, (torch.arange(d) - k) % d]  # roll by k: out[j] = base[j − k]


def unbind_exactly(s: Tensor, y: Tensor) -> Tensor:
    return hrr.bind(s, hrr.exact_inverse(y))


def _hrr(name: str, keys: Draw, symbols: Draw) -> Variant:
    return Variant("hrr", name, hrr.bind, hrr.unbind, hrr.bundle, keys, symbols)


def _vtb(name: str, draw: Draw) -> Variant:
    return Variant("vtb", name, vtb.bind, vtb.unbind, vtb.bundle, draw, draw)


def _mapc(name: str, bundle: Callable[[Tensor], Tensor], *, predictable: bool) -> Variant:
    draw = independent(mapc.random)
    return Variant(
        "mapc", name, mapc.bind, mapc.unbind, bundle, draw, draw, mapc.response, predictable
    )


def default(name: str) -> Variant:
    """The variant of an algebra that uses only the functions of its module."""
    algebra = vsa.get(name)
    draw = independent(algebra.random)
    variant = Variant(
        name, "default", algebra.bind, algebra.unbind, algebra.bundle, draw, draw, predictable=False
    )
    return replace(variant, response=getattr(algebra, "response", variant.response))


gaussian = independent(hrr.random)
SPECIAL = (
    replace(_hrr("exact inverse", gaussian, gaussian), unbind=unbind_exactly, predictable=False),
    _hrr("pseudo-inverse", gaussian, gaussian),
    _hrr("projected", projected, projected),
    _hrr("circulant", projected, circulant),
    _vtb("gaussian", independent(vtb.random)),
    _vtb("orthogonal", independent(vtb.orthogonal)),
    _mapc("clipped", mapc.bundle, predictable=False),
    _mapc("unclipped", hrr.bundle, predictable=True),  # a plain sum
)
VARIANTS = (
    *SPECIAL,
    *(default(name) for name in vsa.names() if name not in {v.algebra for v in SPECIAL}),
)


def by_variant(table: pd.DataFrame) -> Iterator[tuple[Variant, pd.DataFrame]]:
    """The rows of each variant in a results table, sorted by n."""
    for variant in VARIANTS:
        rows = (table["algebra"] == variant.algebra) & (table["variant"] == variant.name)
        yield variant, table[rows].sort_values("n")
