"""Exact search: the k labels whose vectors have the largest inner product with a query.

    ids, scores = search.flat(queries, vectors, k)
    ids, scores = search.circulant(queries, spectra, n_labels, k)

Label b·d + i of a circulant codebook is `bases[b]` rolled by i places; `spectra` is the `rfft` of
the bases. Both searches hold one block of scores at a time; ties go to the lower id.
"""

from collections.abc import Iterable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml.search.ranking import top_k
from hrrxml.search.scratch import Scratch

BLOCK = 400_000  # scores per block: they fit the cache together with their inputs
FEW = 4  # below FEW·k bases, one pass over all labels is faster than two over the bases


def flat(
    queries: Tensor, vectors: Tensor, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first, from queries (q, d) and vectors (labels, d)."""
    return best_of(flat_scores(queries, vectors, bias), k)


@torch.no_grad()
def circulant(
    queries: Tensor, spectra: Tensor, n_labels: int, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first; `spectra` is (⌈labels/d⌉, d/2 + 1).

    A base's peak is the best score of its labels. The k best labels belong to the k bases with the
    best peaks. So the first pass keeps only the peak of each base.
    """
    if len(spectra) < FEW * k:
        return best_of(circulant_scores(queries, spectra, n_labels, bias), k)
    d = queries.shape[-1]
    biases = None if bias is None else by_base(bias, d)
    # Allocated once: small tensors between large temporary ones would fragment memory.
    peaks = queries.new_empty(len(spectra), len(queries))
    for start, block, _ in correlations(queries, spectra, n_labels):
        if biases is not None:
            block += biases[start : start + block.shape[1]]
        torch.amax(block.transpose(0, 1), 2, out=peaks[start : start + block.shape[1]])
    bases = top_k(peaks.T, k).sort(1).values  # by id, so that ties go to the lower label
    size = max(1, BLOCK // (k * d))
    parts = [
        _best_among(part, own, spectra, biases, n_labels)
        for part, own in zip(queries.split(size), bases.split(size), strict=True)
    ]
    ids, scores = zip(*parts, strict=True)
    return torch.cat(ids), torch.cat(scores)


def circulant_part(
    queries: Tensor, spectra: Tensor, labels: slice, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k) of the best in a range of labels, which starts at a base."""
    d = queries.shape[-1]
    bases = slice(labels.start // d, -(-labels.stop // d))
    own = None if bias is None else bias[labels]
    ids, scores = circulant(queries, spectra[bases], labels.stop - labels.start, k, own)
    return ids + labels.start, scores


def _best_among(
    queries: Tensor, bases: Tensor, spectra: Tensor, biases: Tensor | None, n_labels: int
) -> tuple[Tensor, Tensor]:
    """Ids and scores of the k best labels of each query's own k bases: `bases` is (queries, k)."""
    d, k = queries.shape[-1], bases.shape[1]
    scores = irfft(rfft(queries)[:, None] * spectra[bases].conj(), n=d)  # (queries, k, d)
    if biases is not None:
        scores += biases[bases]
    ids = bases[..., None] * d + torch.arange(d, device=bases.device)
    scores.masked_fill_(ids >= n_labels, -torch.inf)
    ids, scores = ids.flatten(1), scores.flatten(1)
    best = top_k(scores, k)
    return ids.gather(1, best), scores.gather(1, best)


def flat_scores(queries: Tensor, vectors: Tensor, bias: Tensor | None = None) -> Iterator[Tensor]:
    """Yields blocks of scores (queries, labels of the block), in the order of the labels."""
    size = block_size(queries)
    for start in range(0, len(vectors), size):
        scores = queries @ vectors[start : start + size].T
        yield scores if bias is None else scores + bias[start : start + size]


def block_size(queries: Tensor) -> int:
    """The number of labels in a block for these queries."""
    return max(1, BLOCK // max(1, len(queries)))


@torch.no_grad()
def circulant_scores(
    queries: Tensor, spectra: Tensor, n_labels: int, bias: Tensor | None = None
) -> Iterator[Tensor]:
    """Yields blocks of scores (queries, labels of the block); the next block reuses the memory."""
    d = queries.shape[-1]
    for start, block, _ in correlations(queries, spectra, n_labels):
        scores = block.flatten(1)[:, : n_labels - start * d]
        if bias is not None:
            scores += bias[start * d : start * d + scores.shape[1]]
        yield scores


def correlations(
    queries: Tensor, spectra: Tensor, n_labels: int
) -> Iterator[tuple[int, Tensor, Tensor]]:
    """⟨query, every roll of a base⟩ at O(log d) per label, a block of bases at a time.

    Yields the number of the block's first base, the scores (queries, bases, d), −∞ where there is
    no label, and their spectrum's memory (queries, bases, d/2 + 1). The next block reuses both.
    """
    d = queries.shape[-1]
    query_spectra = rfft(queries)[:, None]
    spectra = spectra.conj().resolve_conj()
    size = max(1, BLOCK // max(1, queries.numel()))
    in_time = Scratch(queries.dtype, queries.device)
    in_frequency = Scratch(query_spectra.dtype, query_spectra.device)
    for start in range(0, len(spectra), size):
        block = spectra[start : start + size]
        product = in_frequency.shaped(len(queries), *block.shape)
        torch.mul(query_spectra, block, out=product)
        scores = irfft(product, n=d, out=in_time.shaped(len(queries), len(block), d))
        if start + len(block) == len(spectra):
            scores[:, -1, n_labels - (len(spectra) - 1) * d :] = -torch.inf
        yield start, scores, product


def by_base(bias: Tensor, d: int) -> Tensor:
    """The bias (labels,) as (bases, d), padded with zeros."""
    return F.pad(bias, (0, -len(bias) % d)).view(-1, d)


def best_of(blocks: Iterable[Tensor], k: int) -> tuple[Tensor, Tensor]:
    """Ids and scores of the k best over all blocks of scores.

    A row is merged only if its maximum in the block beats its k-th best so far. For most rows
    the maximum is the only cost.
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
    """The best so far, updated in `rows` by a block of scores whose first label is `start`."""
    block = block[rows]
    new = top_k(block, k)
    # Earlier labels come first and have lower ids: a stable sort prefers them in a tie.
    both = torch.cat([scores[rows], block.gather(1, new)], dim=1)
    order = both.sort(dim=1, descending=True, stable=True).indices[:, :k]
    labels = torch.cat([ids[rows], new + start], dim=1)
    if ids.shape[1] < order.shape[1]:
        return labels.gather(1, order), both.gather(1, order)  # every row grows
    ids[rows], scores[rows] = labels.gather(1, order), both.gather(1, order)
    return ids, scores
