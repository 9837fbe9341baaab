"""How the time and memory of exact search and the exact loss grow with L and with d'.

Exponents are slopes in log-log. O(L log d') promises 1 in L and 0 in d'; a product with stored
vectors takes 1 in both.
"""

from functools import partial
from typing import Any

import numpy as np
import torch

from benchmarks import clock
from benchmarks.shapes import SEED
from benchmarks.vectors import TOP
from hrrxml import search
from hrrxml.codebook.circulant import Codebook
from hrrxml.layers.exact_head import SoftplusOfAll
from hrrxml.runtime.errors import UserError

QUERIES = 16
MOST_HELD = 400_000_000  # numbers in all stored vectors: 1.6 GB
LABEL_SHARES = (300, 100, 30, 10, 3, 1)
DIM_SHARES = (16, 8, 4, 2, 1)


def measure(labels: int = 3_000_000, dim: int = 4000, repeats: int = 3) -> dict[str, Any]:
    """L up to `labels` at a quarter of `dim`, then d' up to `dim` at a fifteenth of `labels`."""
    if labels < 5 * LABEL_SHARES[0] or dim < 2 * DIM_SHARES[0]:
        raise UserError(f"growth: give at least {5 * LABEL_SHARES[0]} labels, and dim 32")
    by_labels = [_point(labels // share, dim // 4, repeats) for share in LABEL_SHARES]
    by_dim = [_point(labels // 15, dim // share, repeats) for share in DIM_SHARES]
    return {
        "by_labels": by_labels,
        "by_dim": by_dim,
        "exponents_by_labels": exponents(by_labels, "labels"),
        "exponents_by_dim": exponents(by_dim, "dim"),
        **clock.conditions(repeats, queries=QUERIES),
    }


def exponents(points: list[dict[str, Any]], against: str) -> dict[str, float]:
    """The slope of each measurement that has at least two points."""
    slopes = {}
    for name in ("search_ms", "loss_ms", "matmul_ms", "bytes", "matmul_bytes"):
        pairs = [(point[against], point[name]) for point in points if point[name] is not None]
        if len(pairs) > 1:
            x, y = np.log(np.array(pairs)).T
            slopes[name] = round(float(np.polyfit(x, y, 1)[0]), 3)
    return slopes


def _point(labels: int, dim: int, repeats: int) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(SEED)
    book = Codebook(Codebook.tables(labels, dim, unitary=True, generator=generator))
    queries = torch.randn(QUERIES, dim, generator=generator, requires_grad=True)
    scale, bias = torch.ones(()), torch.full((labels,), -6.0)
    works: dict[str, clock.Work] = {
        "search": partial(search.circulant, queries, book.spectra, labels, TOP),
        "loss": lambda: SoftplusOfAll.apply(queries, scale, bias, book.spectra).backward(),
    }
    if labels * dim <= MOST_HELD:
        given, vectors = queries.detach(), torch.randn(labels, dim)
        works["matmul"] = lambda: (given @ vectors.T).topk(TOP)
    sizes = {"labels": labels, "dim": dim}
    memory = {"bytes": book.bases.nbytes, "matmul_bytes": 4 * labels * dim}
    return sizes | {"matmul_ms": None} | clock.milliseconds(works, repeats) | memory
