"""Synthetic label vectors, and faiss's indexes of them."""

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.codebook.circulant import Codebook
from hrrxml.runtime.errors import UserError

TOP = 5
CHUNK = 10_000  # vectors made, or added to an index, at once
SPREAD = 0.7  # length of the noise that is added to unit vectors


def make_bases(labels: int, dim: int, generator: torch.Generator) -> Tensor:
    return Codebook.tables(labels, dim, unitary=True, generator=generator)["bases"]


def around(centres: Tensor, count: int, generator: torch.Generator) -> Tensor:
    """Unit vectors near centres drawn at random; around 0, they have no clusters."""
    vectors = torch.empty(count, centres.shape[1])
    for chunk in vectors.split(CHUNK):
        members = torch.randint(len(centres), (len(chunk),), generator=generator)
        noise = torch.randn(chunk.shape, generator=generator) * SPREAD / chunk.shape[1] ** 0.5
        chunk.copy_(F.normalize(centres[members] + noise, dim=1))
    return vectors


def import_faiss() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise UserError("faiss is not installed: pip install -e '.[peers]'") from error
    return faiss


def flat_index(vectors: Tensor) -> Any:
    return add(import_faiss().IndexFlatIP(vectors.shape[1]), vectors)


def add(index: Any, vectors: Tensor) -> Any:
    for chunk in vectors.split(CHUNK):
        index.add(chunk.numpy())
    return index


def recall(index: Any, wanted: Tensor, exact: Tensor) -> float:
    """The share of the exact best labels that the index returns."""
    _, ids = index.search(wanted.numpy(), exact.shape[1])
    shared = [len(np.intersect1d(a, b)) for a, b in zip(ids, exact.numpy(), strict=True)]
    return round(float(np.mean(shared)) / exact.shape[1], 4)
