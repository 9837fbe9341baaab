"""The top 5 of all labels, with label vectors that are stored or drawn again from a seed.

Appendix H: the label vectors c need not be stored, because a seed gives them again. Each search
then draws them anew, a block of labels at a time; only one block is in memory.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import torch
from torch import Tensor

from benchmarks import clock
from benchmarks.shapes import SEED
from benchmarks.vectors import TOP
from hrrxml.vsa import hrr

SIZES = ((3993, 400), (30_938, 3000))  # labels, d'
BLOCK = 1000  # labels drawn at once


def measure_all() -> dict[str, Any]:
    return {"grid": [measure(labels, dim) for labels, dim in SIZES]}


def measure(
    labels: int = 30_938, dim: int = 3000, queries: int = 64, repeats: int = 5
) -> dict[str, Any]:
    wanted = hrr.random(queries, dim, generator=torch.Generator().manual_seed(SEED))
    stored = torch.cat(list(draw(labels, dim)))
    works = {
        "stored": partial(_search_stored, wanted, stored),
        "seeded": partial(_search_seeded, wanted, labels),
    }
    times = clock.milliseconds(works, repeats)
    again = torch.cat(list(draw(labels, dim)))
    return {
        **times,
        "seeded_over_stored": clock.speed_up(times["seeded_ms"], times["stored_ms"]),
        "stored_bytes": stored.nbytes,
        "seeded_bytes": stored[:BLOCK].nbytes,
        "same_vectors": torch.equal(stored, again),
        "same_labels": torch.equal(_search_stored(wanted, stored), _search_seeded(wanted, labels)),
        **clock.conditions(repeats, labels=labels, dim=dim, queries=queries),
    }


def draw(labels: int, dim: int) -> Iterator[Tensor]:
    """The label vectors, in blocks. Each block has a seed of its own, and needs no other."""
    for start in range(0, labels, BLOCK):
        generator = torch.Generator().manual_seed(SEED + start)
        yield hrr.project(hrr.random(min(BLOCK, labels - start), dim, generator=generator))


def _search_stored(wanted: Tensor, vectors: Tensor) -> Tensor:
    return (wanted @ vectors.T).topk(TOP).indices


def _search_seeded(wanted: Tensor, labels: int) -> Tensor:
    blocks = draw(labels, wanted.shape[1])
    return torch.cat([wanted @ block.T for block in blocks], dim=1).topk(TOP).indices
