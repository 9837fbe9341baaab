"""The best labels of one query among stored vectors, by exact search and by faiss's IVF index.

GLaS promises approximate search "below 10 ms" for a few million labels and below 1 ms for under
100,000. The recall of an index depends on the vectors: here they lie around centres (`recall`) or
anywhere on the sphere (`spread_recall`). Each query lies near a vector. `ours`, `faiss_flat` and
`circulant` are exact; `circulant` has vectors of its own, the rolls of a few bases. Milliseconds
are per query, one query at a time.
"""

from functools import partial
from math import isqrt
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import rfft

from benchmarks import clock
from benchmarks.search import CHUNK, TOP, import_faiss, make_bases, recall
from benchmarks.synthetic import SEED
from hrrxml import search

SIZES = ((100_000, 512), (1_000_000, 512), (3_000_000, 256))  # labels, d
SPREAD = 0.7  # length of the noise that is added to unit vectors
MOST_CELLS = 1024  # of the index
PROBED = 16  # cells searched for each query
SAMPLE = 40  # vectors per cell that the index is trained with


def measure_all() -> dict[str, Any]:
    return {"grid": [measure(labels, dim, repeats=1) for labels, dim in SIZES]}


def measure(
    labels: int = 1_000_000, dim: int = 256, queries: int = 64, repeats: int = 3
) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(SEED)
    spread_recall = _recall_of_spread(labels, dim, queries, generator)
    vectors = clustered(labels, dim, generator)
    wanted = _queries(vectors, queries, generator)
    bases = rfft(make_bases(labels, dim, generator))
    index, seconds = _index(vectors)
    faiss = import_faiss()
    whole = faiss.IndexFlatIP(dim)
    for chunk in vectors.split(CHUNK):
        whole.add(chunk.numpy())
    works = {
        "ours": partial(_each, wanted, lambda q: search.flat(q, vectors, TOP)),
        "circulant": partial(_each, wanted, lambda q: search.circulant(q, bases, labels, TOP)),
        "faiss_flat": partial(_each, wanted, lambda q: whole.search(q.numpy(), TOP)),
        "faiss_ivf": partial(_each, wanted, lambda q: index.search(q.numpy(), TOP)),
    }
    times = clock.milliseconds(works, repeats)
    exact = search.flat(wanted, vectors, TOP)[0].numpy()
    result: dict[str, Any] = {
        "labels": labels,
        "dim": dim,
        "queries": queries,
        "repeats": repeats,
        "threads": torch.get_num_threads(),
    }
    result |= {f"{name}_ms": round(total / queries, 4) for name, total in times.items()}
    return result | {
        "faiss_ivf_spread_recall": spread_recall,
        "faiss_ivf_recall": recall(index.search(wanted.numpy(), TOP)[1], exact),
        "faiss_ivf_build_seconds": round(seconds, 1),
        "agrees": recall(whole.search(wanted.numpy(), TOP)[1], exact) > 0.99,
    }


def _recall_of_spread(labels: int, dim: int, queries: int, generator: torch.Generator) -> float:
    """The recall of the index among vectors that have no clusters."""
    vectors = torch.empty(labels, dim)
    for chunk in vectors.split(CHUNK):
        chunk.copy_(F.normalize(torch.randn(chunk.shape, generator=generator), dim=1))
    wanted = _queries(vectors, queries, generator)
    exact = search.flat(wanted, vectors, TOP)[0].numpy()
    return recall(_index(vectors)[0].search(wanted.numpy(), TOP)[1], exact)


def _queries(vectors: Tensor, count: int, generator: torch.Generator) -> Tensor:
    return _near(vectors[torch.randint(len(vectors), (count,), generator=generator)], generator)


def clustered(labels: int, dim: int, generator: torch.Generator) -> Tensor:
    """Unit vectors around √labels centres: (labels, dim)."""
    centres = F.normalize(torch.randn(isqrt(labels), dim, generator=generator), dim=1)
    vectors = torch.empty(labels, dim)
    for chunk in vectors.split(CHUNK):
        members = torch.randint(len(centres), (len(chunk),), generator=generator)
        chunk.copy_(_near(centres[members], generator))
    return vectors


def _near(vectors: Tensor, generator: torch.Generator) -> Tensor:
    noise = torch.randn(vectors.shape, generator=generator) * SPREAD / vectors.shape[1] ** 0.5
    return F.normalize(vectors + noise, dim=1)


def _index(vectors: Tensor) -> tuple[Any, float]:
    """faiss's inverted-file index, and the seconds it took to build."""
    faiss = import_faiss()
    labels, dim = vectors.shape
    cells = min(MOST_CELLS, max(1, labels // SAMPLE))
    index = faiss.IndexIVFFlat(faiss.IndexFlatIP(dim), dim, cells, faiss.METRIC_INNER_PRODUCT)
    index.cp.seed, index.nprobe = SEED, PROBED

    def build() -> None:
        index.train(vectors[: SAMPLE * cells].numpy())
        for chunk in vectors.split(CHUNK):
            index.add(chunk.numpy())

    return index, clock.once(build) / 1000


def _each(wanted: Tensor, find: Any) -> None:
    for query in wanted.split(1):
        find(query)
