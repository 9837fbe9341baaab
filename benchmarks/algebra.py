"""Binding and unbinding in HRR, against VTB and MAP-C (§3.1 and appendix D.1).

A `round` binds pairs, unbinds them and back-propagates. VTB is timed as one product of matrices, as
in this library, and with the block-diagonal matrix of its papers (`blocks`), which the HRR paper
used. HRR unbinds with Plate's inverse x*, or with the exact one x† (`exact`).
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from benchmarks import clock
from benchmarks.shapes import SEED
from hrrxml.experiments.capacity import blocks
from hrrxml.experiments.capacity.variants import unbind_exactly
from hrrxml.runtime.errors import UserError
from hrrxml.vsa import hrr, mapc, vtb

Operation = Callable[[Tensor, Tensor], Tensor]

DIMS = (256, 576, 1024)  # squares, for VTB
PAIRS = 8  # few, since a block-diagonal matrix has d² entries for each
# How each binds and unbinds.
ALGEBRAS: dict[str, tuple[Operation, Operation]] = {
    "hrr": (hrr.bind, hrr.unbind),
    "exact": (hrr.bind, unbind_exactly),
    "vtb": (vtb.bind, vtb.unbind),
    "blocks": (blocks.bind, lambda s, y: blocks.bind(s, vtb.inverse(y))),
    "mapc": (mapc.bind, mapc.unbind),
}


def measure_all() -> dict[str, Any]:
    return {"grid": [measure(dim) for dim in DIMS]}


def measure(dim: int = 1024, repeats: int = 30) -> dict[str, Any]:
    """Milliseconds for PAIRS pairs, and how many times HRR's the others take."""
    if round(dim**0.5) ** 2 != dim:
        raise UserError(f"algebra: VTB needs a square --dim, such as 256, not {dim}")
    generator = torch.Generator().manual_seed(SEED)
    x, y = hrr.random(2 * PAIRS, dim, generator=generator).split(PAIRS)
    works: dict[str, clock.Work] = {
        "pseudo_inverse": partial(hrr.inverse, y),
        "exact_inverse": partial(hrr.exact_inverse, y),
    }
    for name, (bind, unbind) in ALGEBRAS.items():
        s = bind(x, y)
        works |= {
            f"{name}_bind": partial(bind, x, y),
            f"{name}_unbind": partial(unbind, s, y),
            f"{name}_round": partial(_round, bind, unbind, x, y),
        }
    times = clock.milliseconds(works, repeats)
    rivals = {
        f"{name}_round_over_hrr": clock.speed_up(times[f"{name}_round_ms"], times["hrr_round_ms"])
        for name in ALGEBRAS
        if name != "hrr"
    }
    return {
        **times,
        **rivals,
        "exact_over_pseudo": clock.speed_up(times["exact_inverse_ms"], times["pseudo_inverse_ms"]),
        "exact_over_pseudo_unbind": clock.speed_up(
            times["exact_unbind_ms"], times["hrr_unbind_ms"]
        ),
        **clock.conditions(repeats, dim=dim, pairs=PAIRS),
    }


def _round(bind: Operation, unbind: Operation, x: Tensor, y: Tensor) -> None:
    """Forward and backward."""
    x, y = (vectors.detach().requires_grad_() for vectors in (x, y))
    unbind(bind(x, y), y).sum().backward()
