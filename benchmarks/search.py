"""The top 5 of all labels: rolls of a few bases (ours) against stored vectors, by matmul and faiss.

Milliseconds are per batch of queries. `topk_ms` only ranks given scores. Stored vectors are left
out above MOST_HELD numbers, faiss's HNSW above MOST_LINKED labels.
"""

import resource
from functools import partial
from math import ceil
from multiprocessing import get_context
from typing import Any

import torch
from torch import Tensor
from torch.fft import rfft

from benchmarks import clock
from benchmarks.shapes import SEED
from benchmarks.vectors import TOP, around, flat_index, import_faiss, make_bases, recall
from hrrxml import search
from hrrxml.codebook.circulant import Codebook

SIZES = ((3993, 400), (30938, 3000), (205443, 3000), (670091, 3000))  # labels, d'
ALONE = (10_000_000, 3000)
MOST_HELD = 2_200_000_000  # numbers in all stored vectors: 8.8 GB, and faiss keeps a copy
MOST_LINKED = 31_000  # labels: HNSW is built in about a minute
CHECKED = 20_000  # labels whose vectors are expanded to check our result


def measure_all() -> dict[str, Any]:
    # Memory first: a process inherits the peak of its parent.
    with get_context("spawn").Pool(1) as pool:
        alone = pool.apply(measure_memory, ALONE)
    return {"alone": alone, "grid": [measure(labels, dim) for labels, dim in SIZES]}


def measure_memory(labels: int, dim: int) -> dict[str, Any]:
    """Our search, with the peak memory of this process."""
    result, *_ = _ours(labels, dim, queries=64, repeats=3)
    return result | {"peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


def measure(
    labels: int = 670_091, dim: int = 3000, queries: int = 64, repeats: int = 5
) -> dict[str, Any]:
    result, wanted, bases = _ours(labels, dim, queries, repeats)
    result |= {"agrees": agrees(wanted, bases, labels), "matmul_bytes": 4 * labels * dim}
    result["bytes_over_ours"] = clock.speed_up(result["matmul_bytes"], result["ours_bytes"])
    if labels * dim <= MOST_HELD:
        result |= _stored(wanted, labels, repeats)
        for name in ("matmul", "faiss", "topk"):
            result[f"{name}_over_ours"] = clock.speed_up(result[f"{name}_ms"], result["ours_ms"])
    times = [key for key in result if key.endswith("_ms") and result[key] is not None]
    return result | {f"{key}_per_query": round(result[key] / queries, 5) for key in times}


def _ours(
    labels: int, dim: int, queries: int, repeats: int
) -> tuple[dict[str, Any], Tensor, Tensor]:
    """What was measured, the queries, and the bases."""
    generator = torch.Generator().manual_seed(SEED)
    wanted = around(torch.zeros(1, dim), queries, generator)
    bases = make_bases(labels, dim, generator)
    work = partial(search.circulant, wanted, rfft(bases), labels, TOP)
    result: dict[str, Any] = clock.milliseconds({"ours": work}, repeats)
    result |= clock.conditions(repeats, labels=labels, dim=dim, queries=queries)
    return result | {"ours_bytes": bases.nbytes}, wanted, bases


def agrees(wanted: Tensor, bases: Tensor, labels: int) -> bool:
    """True if our search ranks the first CHECKED labels as brute force does, up to rounding."""
    d = bases.shape[1]
    labels = min(labels, max(d, CHECKED // d * d))
    bases = bases[: ceil(labels / d)]
    book = Codebook({"bases": bases, "n_labels": torch.tensor(labels)})
    scores = wanted.double() @ book.vectors(torch.arange(labels)).double().T
    best = scores.topk(min(TOP, labels)).values
    ids, _ = search.circulant(wanted, rfft(bases), labels, TOP)
    return torch.allclose(scores.gather(1, ids), best, atol=1e-6, rtol=0)


def _stored(wanted: Tensor, labels: int, repeats: int) -> dict[str, Any]:
    """Random unit vectors, searched by matmul and by faiss. At most two copies are held."""
    centre, generator = torch.zeros(1, wanted.shape[1]), torch.Generator().manual_seed(SEED)
    vectors = around(centre, labels, generator)
    scores = wanted @ vectors.T
    works: dict[str, clock.Work] = {
        "matmul": lambda: (wanted @ vectors.T).topk(TOP),
        "topk": lambda: scores.topk(TOP),
    }
    result: dict[str, Any] = clock.milliseconds(works, repeats)
    result |= _linked(wanted, vectors, scores.topk(TOP).indices, repeats)
    flat = partial(flat_index(vectors).search, wanted.numpy(), TOP)
    return result | clock.milliseconds({"faiss": flat}, repeats)


def _linked(wanted: Tensor, vectors: Tensor, exact: Tensor, repeats: int) -> dict[str, Any]:
    """faiss's approximate search by a graph (HNSW), with its defaults."""
    if len(vectors) > MOST_LINKED:
        why = f"more than {MOST_LINKED} labels: building takes minutes"
        return {"hnsw_ms": None, "hnsw_recall": None, "hnsw_build_seconds": None, "hnsw_why": why}
    faiss = import_faiss()
    index = faiss.IndexHNSWFlat(vectors.shape[1], 32, faiss.METRIC_INNER_PRODUCT)
    build = clock.once(partial(index.add, vectors.numpy()))
    return {
        **clock.milliseconds({"hnsw": partial(index.search, wanted.numpy(), TOP)}, repeats),
        "hnsw_recall": recall(index, wanted, exact),
        "hnsw_build_seconds": round(build / 1000, 2),
    }
