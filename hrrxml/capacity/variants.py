"""The lines of the capacity figures: an algebra, how its vectors are drawn, how it unbinds."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

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
    symbols: Draw  # what is bound to the keys, and the distractors, drawn together
    response: Callable[[int], float]  # of a single bound pair, d → expected ⟨x, unbind(s, y)⟩

    @property
    def label(self) -> str:
        return f"{self.algebra}, {self.name}"


def gaussian_hrr(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return hrr.random(trials * n, d, generator=generator).view(trials, n, d)


def projected_hrr(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return hrr.project(gaussian_hrr(trials, n, d, generator))


def circulant_hrr(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    """n different rotations of ceil(n / d) unitary vectors: symbols that need no storage.

    The d rotations of one unitary vector are exactly orthonormal.
    """
    bases = projected_hrr(trials, math.ceil(n / d), d, generator)
    rotations = bases.shape[1] * d
    chosen = torch.rand(trials, rotations, generator=generator).argsort(-1)[:, :n]
    base, k = chosen.unsqueeze(-1) // d, chosen.unsqueeze(-1) % d
    trial = torch.arange(trials).view(-1, 1, 1)
    return bases[trial, base, (torch.arange(d) - k) % d]  # roll by k: out[j] = base[j − k]


def gaussian_vtb(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return vtb.random(trials * n, d, generator=generator).view(trials, n, d)


def orthogonal_vtb(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return vtb.orthogonal(trials * n, d, generator=generator).view(trials, n, d)


def uniform_mapc(trials: int, n: int, d: int, generator: torch.Generator) -> Tensor:
    return mapc.random(trials * n, d, generator=generator).view(trials, n, d)


def unbind_exactly(s: Tensor, y: Tensor) -> Tensor:
    return hrr.bind(s, hrr.exact_inverse(y))


def _hrr(
    name: str, keys: Draw, symbols: Draw, unbind: Callable[[Tensor, Tensor], Tensor] = hrr.unbind
) -> Variant:
    return Variant("hrr", name, hrr.bind, unbind, hrr.bundle, keys, symbols, lambda d: 1.0)


def _vtb(name: str, draw: Draw) -> Variant:
    return Variant("vtb", name, vtb.bind, vtb.unbind, vtb.bundle, draw, draw, lambda d: 1.0)


def _mapc(name: str, bundle: Callable[[Tensor], Tensor]) -> Variant:
    # E[x²y²] = 1/9 for x, y of U(−1, 1), in each of d places.
    draw = uniform_mapc
    return Variant("mapc", name, mapc.bind, mapc.unbind, bundle, draw, draw, lambda d: d / 9)


VARIANTS = (
    _hrr("exact inverse", gaussian_hrr, gaussian_hrr, unbind_exactly),
    _hrr("pseudo-inverse", gaussian_hrr, gaussian_hrr),
    _hrr("projected", projected_hrr, projected_hrr),
    _hrr("circulant", projected_hrr, circulant_hrr),
    _vtb("gaussian", gaussian_vtb),
    _vtb("orthogonal", orthogonal_vtb),
    _mapc("clipped", mapc.bundle),
    _mapc("unclipped", hrr.bundle),  # a plain sum
)
