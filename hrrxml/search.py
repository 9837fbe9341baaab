"""Exact search: the k labels whose vectors have the greatest inner product with a query.

    ids, scores = search.flat(queries, vectors, k)
    ids, scores = search.circulant(queries, bases, n_labels, k)

Label b·d + k of a circulant codebook is `bases[b]` rolled by k places. Neither search ever
holds more than a block of scores; ties go to the lower id.
"""

from collections.abc import Iterable, Iterator

import torch
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml.ranking import top_k

BLOCK = 400_000  # scores at once: what fits the cache beside what they are made of


def flat(
    queries: Tensor, vectors: Tensor, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first, from (queries, d) and the stored (labels, d)."""
    return best_of(flat_scores(queries, vectors, bias), k)


def circulant(
    queries: Tensor, bases: Tensor, n_labels: int, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first, from (queries, d) and the (⌈labels/d⌉, d) bases."""
    return best_of(circulant_scores(queries, rfft(bases), n_labels, bias), k)


def flat_scores(queries: Tensor, vectors: Tensor, bias: Tensor | None = None) -> Iterator[Tensor]:
    """(queries, some labels) after another, in the order of the labels."""
    size = max(1, BLOCK // max(1, len(queries)))
    for start in range(0, len(vectors), size):
        scores = queries @ vectors[start : start + size].T
        yield scores if bias is None else scores + bias[start : start + size]


def circulant_scores(
    queries: Tensor, spectra: Tensor, n_labels: int, bias: Tensor | None = None
) -> Iterator[Tensor]:
    """The same from the bases' `rfft`: all d labels of a base are one correlation, O(d log d)."""
    d = queries.shape[-1]
    size = max(1, BLOCK // max(1, queries.numel()))
    wanted = rfft(queries)[:, None]
    for start in range(0, len(spectra), size):
        block = spectra[start : start + size].conj()
        scores = irfft(wanted * block, n=d).flatten(1)[:, : n_labels - start * d]
        yield scores if bias is None else scores + bias[start * d : start * d + scores.shape[1]]


def best_of(blocks: Iterable[Tensor], k: int) -> tuple[Tensor, Tensor]:
    """Ids and scores of the k best over all blocks of scores.

    A block's rows are looked at closely only if their best beats the k-th so far: for most
    that is one maximum.
    """
    blocks = iter(blocks)
    first = next(blocks)
    ids = top_k(first, k)
    scores = first.gather(1, ids)
    seen = first.shape[1]
    for block in blocks:
        if ids.shape[1] < k:
            rows = torch.arange(len(block), device=block.device)
        else:
            rows = (block.amax(1) > scores[:, -1]).nonzero()[:, 0]
        if len(rows):
            ids, scores = _merge(ids, scores, rows, block, seen, k)
        seen += block.shape[1]
    return ids, scores


def _merge(
    ids: Tensor, scores: Tensor, rows: Tensor, block: Tensor, start: int, k: int
) -> tuple[Tensor, Tensor]:
    """What was best so far, with what is better in some rows of a block from label `start` on."""
    block = block[rows]
    new = top_k(block, k)
    # Those before come first and have lower ids, so that a stable sort keeps them among equals.
    both = torch.cat([scores[rows], block.gather(1, new)], dim=1)
    order = both.sort(dim=1, descending=True, stable=True).indices[:, :k]
    numbers = torch.cat([ids[rows], new + start], dim=1)
    if ids.shape[1] < order.shape[1]:
        return numbers.gather(1, order), both.gather(1, order)  # every row grows
    ids[rows], scores[rows] = numbers.gather(1, order), both.gather(1, order)
    return ids, scores
