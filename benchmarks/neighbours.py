"""The best labels of one query among stored vectors, by exact search and by faiss's IVF index.

GLaS promises approximate search "below 10 ms" for a few million labels and below 1 ms for under
100,000. The recall of an index depends on the vectors: here they lie around centres (`recall`) or
anywhere on the sphere (`spread_recall`). Each query lies near a vector. `ours`, `faiss_flat` and
`circulant` are exact; `circulant` has vectors of its own, the rolls of a few bases. Milliseconds
are per query, one query at a time.
"""

from collections.abc import Callable
from functools import partial
from math import isqrt
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import rfft

from benchmarks import clock
from benchmarks.shapes import SEED
from benchmarks.vectors import TOP, add, around, flat_index, import_faiss, make_bases, recall
from hrrxml import search

SIZES = ((100_000, 512), (1_000_000, 512), (3_000_000, 256))  # labels, d
MOST_CELLS = 1024  # of the index
PROBED = 16  # cells searched for each query
SAMPLE = 40  # vectors per cell that the index is trained with


def measure_all() -> dict[str, Any]:
    return {"grid": [measure(labels, dim, repeats=1) for labels, dim in SIZES]}


def measure(
    labels: int = 1_000_000, dim: int = 256, queries: int = 64, repeats: int = 3
) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(SEED)

    def draw(centres: Tensor) -> tuple[Tensor, Tensor]:
        vectors = around(centres, labels, generator)
        return vectors, around(vectors, queries, generator)

    spread_recall = _inverted(*draw(torch.zeros(1, dim)))["recall"]
    centres = F.normalize(torch.randn(isqrt(labels), dim, generator=generator), dim=1)
    vectors, wanted = draw(centres)
    inverted, flat = _inverted(vectors, wanted), flat_index(vectors)
    bases = rfft(make_bases(labels, dim, generator))
    searches: dict[str, Callable[[Tensor], Any]] = {
        "ours": lambda query: search.flat(query, vectors, TOP),
        "circulant": lambda query: search.circulant(query, bases, labels, TOP),
        "faiss_flat": lambda query: flat.search(query.numpy(), TOP),
        "faiss_ivf": lambda query: inverted["index"].search(query.numpy(), TOP),
    }
    works = {name: partial(_one_by_one, find, wanted) for name, find in searches.items()}
    times = clock.milliseconds(works, repeats)
    return {
        **{name: round(total / queries, 4) for name, total in times.items()},
        "faiss_ivf_spread_recall": spread_recall,
        "faiss_ivf_recall": inverted["recall"],
        "faiss_ivf_build_seconds": inverted["seconds"],
        "agrees": recall(flat, wanted, search.flat(wanted, vectors, TOP)[0]) > 0.99,
        **clock.conditions(repeats, labels=labels, dim=dim, queries=queries),
    }


def _inverted(vectors: Tensor, wanted: Tensor) -> dict[str, Any]:
    """faiss's inverted-file index, the seconds that it took to build, and its recall."""
    faiss = import_faiss()
    labels, dim = vectors.shape
    cells = min(MOST_CELLS, max(1, labels // SAMPLE))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.seed, index.nprobe = SEED, PROBED

    def build() -> None:
        index.train(vectors[: SAMPLE * cells].numpy())
        add(index, vectors)

    seconds = round(clock.once(build) / 1000, 1)
    exact = search.flat(wanted, vectors, TOP)[0]
    return {"index": index, "seconds": seconds, "recall": recall(index, wanted, exact)}


def _one_by_one(find: Callable[[Tensor], Any], wanted: Tensor) -> None:
    for query in wanted.split(1):
        find(query)
