"""The top 5 of all labels: rolls of a few bases (ours) against stored vectors, by matmul and faiss.

Milliseconds are per batch of queries. `topk_ms` only ranks given scores. Stored vectors are left
out above MOST_HELD numbers, faiss's HNSW above MOST_LINKED labels.
"""

import resource
from functools import partial
from importlib import import_module
from math import ceil
from multiprocessing import get_context
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.fft import rfft

from benchmarks import clock
from benchmarks.synthetic import SEED
from hrrxml import search
from hrrxml.codebook.circulant import Codebook
from hrrxml.runtime.errors import UserError

TOP = 5
SIZES = ((3993, 400), (30938, 3000), (205443, 3000), (670091, 3000))  # labels, d'
MOST_HELD = 2_200_000_000  # numbers in all stored vectors: 8.8 GB, and faiss keeps a copy
MOST_LINKED = 31_000  # labels: HNSW is built in about a minute
CHECKED = 20_000  # labels whose vectors are expanded to check our result
CHUNK = 10_000  # vectors made, or added to an index, at once


def measure_all() -> dict[str, Any]:
    # Memory first: a process inherits the peak of its parent.
    alone = measure_memory()
    return {"alone": alone, "grid": [measure(labels, dim) for labels, dim in SIZES]}


def measure(
    labels: int = 670_091, dim: int = 3000, queries: int = 64, repeats: int = 5
) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(SEED)
    wanted = torch.nn.functional.normalize(torch.randn(queries, dim, generator=generator))
    result: dict[str, Any] = {"labels": labels, "dim": dim, "queries": queries, "repeats": repeats}
    result |= {"threads": torch.get_num_threads(), "matmul_bytes": 4 * labels * dim}
    bases = make_bases(labels, dim, generator)
    result |= _ours(wanted, bases, labels, repeats)
    result["agrees"] = agrees(wanted, bases, labels)
    if labels * dim <= MOST_HELD:
        result |= _stored(wanted, labels, repeats)
        for name in ("matmul", "faiss", "topk"):
            result[f"{name}_over_ours"] = clock.speed_up(result[f"{name}_ms"], result["ours_ms"])
    result["bytes_over_ours"] = clock.speed_up(result["matmul_bytes"], result["ours_bytes"])
    times = [key for key in result if key.endswith("_ms") and result[key] is not None]
    return result | {f"{key}_per_query": round(result[key] / queries, 5) for key in times}


def _ours(wanted: Tensor, bases: Tensor, labels: int, repeats: int) -> dict[str, Any]:
    work = partial(search.circulant, wanted, rfft(bases), labels, TOP)
    times = clock.milliseconds({"ours": work}, repeats)
    return {"ours_ms": times["ours"], "ours_bytes": bases.nbytes}


def make_bases(labels: int, dim: int, generator: torch.Generator) -> Tensor:
    return Codebook.tables(labels, dim, unitary=True, generator=generator)["bases"]


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
    vectors = torch.empty(labels, wanted.shape[1])
    for chunk in vectors.split(CHUNK):
        chunk.normal_()
        chunk /= chunk.norm(dim=1, keepdim=True)
    faiss = import_faiss()
    result, exact = _multiplied(wanted, vectors, repeats)
    result |= _linked(wanted, vectors, exact, repeats)
    index = faiss.IndexFlatIP(wanted.shape[1])
    for chunk in vectors.split(CHUNK):
        index.add(chunk.numpy())
    del vectors
    work = partial(index.search, wanted.numpy(), TOP)
    return result | clock.milliseconds({"faiss_ms": work}, repeats)


def import_faiss() -> Any:
    try:
        return import_module("faiss")
    except ImportError as error:
        raise UserError("faiss is not installed: pip install -e '.[peers]'") from error


def _multiplied(wanted: Tensor, vectors: Tensor, repeats: int) -> tuple[dict[str, Any], Any]:
    """Milliseconds with and without the product, and the ids of the exact best."""
    ready = wanted @ vectors.T
    works = {
        "matmul_ms": lambda: (wanted @ vectors.T).topk(TOP),
        "topk_ms": lambda: ready.topk(TOP),
    }
    return clock.milliseconds(works, repeats), ready.topk(TOP).indices.numpy()


def _linked(wanted: Tensor, vectors: Tensor, exact: Any, repeats: int) -> dict[str, Any]:
    """faiss's approximate search by a graph (HNSW), with its defaults."""
    if len(vectors) > MOST_LINKED:
        why = f"more than {MOST_LINKED} labels: building takes minutes"
        return {"hnsw_ms": None, "hnsw_recall": None, "hnsw_build_seconds": None, "hnsw_why": why}
    faiss = import_faiss()
    index = faiss.IndexHNSWFlat(vectors.shape[1], 32, faiss.METRIC_INNER_PRODUCT)
    build = clock.once(partial(index.add, vectors.numpy()))
    times = clock.milliseconds({"hnsw": partial(index.search, wanted.numpy(), TOP)}, repeats)
    _, ids = index.search(wanted.numpy(), TOP)
    return {
        "hnsw_ms": times["hnsw"],
        "hnsw_recall": recall(ids, exact),
        "hnsw_build_seconds": round(build / 1000, 2),
    }


def recall(ids: np.ndarray, exact: np.ndarray) -> float:
    """The share of the exact best that `ids` contain."""
    shared = [len(np.intersect1d(a, b)) for a, b in zip(ids, exact, strict=True)]
    return round(float(np.mean(shared)) / exact.shape[1], 4)


def measure_memory(labels: int = 10_000_000, dim: int = 3000, queries: int = 64) -> dict[str, Any]:
    """Our search in a process of its own, with its peak memory."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(_alone, (labels, dim, queries))


def _alone(labels: int, dim: int, queries: int) -> dict[str, Any]:
    repeats = 3
    generator = torch.Generator().manual_seed(SEED)
    wanted = torch.randn(queries, dim, generator=generator)
    result = _ours(wanted, make_bases(labels, dim, generator), labels, repeats)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    sizes = {"labels": labels, "dim": dim, "queries": queries, "repeats": repeats}
    return result | sizes | {"peak_bytes": peak, "threads": torch.get_num_threads()}
