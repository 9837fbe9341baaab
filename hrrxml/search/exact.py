"""Exact search: the k labels whose vectors have the greatest inner product with a query.

    ids, scores = search.flat(queries, vectors, k)
    ids, scores = search.circulant(queries, spectra, n_labels, k)

Label b·d + k of a circulant codebook is `bases[b]` rolled by k places, and `spectra` the bases'
`rfft`. Neither search ever holds more than a block of scores; ties go to the lower id.
"""

from collections.abc import Iterable, Iterator

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import irfft, rfft

from hrrxml.search.ranking import top_k
from hrrxml.search.scratch import Scratch

BLOCK = 400_000  # scores at once: what fits the cache beside what they are made of
FEW = 4  # times k bases: so few that all their labels are better looked at once than twice


def flat(
    queries: Tensor, vectors: Tensor, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first, from (queries, d) and the stored (labels, d)."""
    return best_of(flat_scores(queries, vectors, bias), k)


@torch.no_grad()
def circulant(
    queries: Tensor, spectra: Tensor, n_labels: int, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Ids and scores (queries, k), best first, from (queries, d) and (⌈labels/d⌉, d/2 + 1).

    The k best labels are among the k bases with the best peaks, for every base before another
    has a label before all of the other's. So of most bases nothing is kept but the peak.
    """
    if len(spectra) < FEW * k:
        return best_of(circulant_scores(queries, spectra, n_labels, bias), k)
    d = queries.shape[-1]
    biases = None if bias is None else by_base(bias, d)
    # Made at once: small pieces kept between large ones that come and go would break up memory.
    peaks = queries.new_empty(len(spectra), len(queries))
    for start, found, _ in correlations(queries, spectra, n_labels):
        if biases is not None:
            found += biases[start : start + found.shape[1]]
        torch.amax(found.transpose(0, 1), 2, out=peaks[start : start + found.shape[1]])
    bases = top_k(peaks.T, k).sort(1).values  # in the order of their labels
    size = max(1, BLOCK // (k * d))
    parts = [
        _best_among(part, some, spectra, biases, n_labels)
        for part, some in zip(queries.split(size), bases.split(size), strict=True)
    ]
    ids, scores = zip(*parts, strict=True)
    return torch.cat(ids), torch.cat(scores)


def circulant_part(
    queries: Tensor, spectra: Tensor, labels: slice, k: int, bias: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """The same among a stretch of the labels, which begins with a base's first."""
    d = queries.shape[-1]
    bases = slice(labels.start // d, -(-labels.stop // d))
    own = None if bias is None else bias[labels]
    ids, scores = circulant(queries, spectra[bases], labels.stop - labels.start, k, own)
    return ids + labels.start, scores


def _best_among(
    queries: Tensor, bases: Tensor, spectra: Tensor, biases: Tensor | None, n_labels: int
) -> tuple[Tensor, Tensor]:
    """Of each query's own k bases the k best labels."""
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
    """(queries, some labels) after another, in the order of the labels."""
    size = block_size(queries)
    for start in range(0, len(vectors), size):
        scores = queries @ vectors[start : start + size].T
        yield scores if bias is None else scores + bias[start : start + size]


def block_size(queries: Tensor) -> int:
    """How many labels are scored at once for so many queries."""
    return max(1, BLOCK // max(1, len(queries)))


@torch.no_grad()
def circulant_scores(
    queries: Tensor, spectra: Tensor, n_labels: int, bias: Tensor | None = None
) -> Iterator[Tensor]:
    """The same from the bases; a block is to be used before the next, which takes its memory."""
    d = queries.shape[-1]
    for start, found, _ in correlations(queries, spectra, n_labels):
        scores = found.flatten(1)[:, : n_labels - start * d]
        if bias is not None:
            scores += bias[start * d : start * d + scores.shape[1]]
        yield scores


def correlations(
    queries: Tensor, spectra: Tensor, n_labels: int
) -> Iterator[tuple[int, Tensor, Tensor]]:
    """⟨query, every roll of a base⟩, O(log d) each, some bases at a time; −∞ where no label is.

    Yields the first base's number, (queries, bases, d), and the (queries, bases, d/2 + 1) memory
    of its spectrum. The next block takes the memory of both.
    """
    d = queries.shape[-1]
    wanted = rfft(queries)[:, None]
    spectra = spectra.conj().resolve_conj()
    size = max(1, BLOCK // max(1, queries.numel()))
    in_time = Scratch(queries.dtype, queries.device)
    in_frequency = Scratch(wanted.dtype, wanted.device)
    for start in range(0, len(spectra), size):
        block = spectra[start : start + size]
        product = in_frequency.shaped(len(queries), *block.shape)
        torch.mul(wanted, block, out=product)
        found = irfft(product, n=d, out=in_time.shaped(len(queries), len(block), d))
        if start + len(block) == len(spectra):
            found[:, -1, n_labels - (len(spectra) - 1) * d :] = -torch.inf
        yield start, found, product


def by_base(bias: Tensor, d: int) -> Tensor:
    """(labels,) as (bases, d), filled up with zeros."""
    return F.pad(bias, (0, -len(bias) % d)).view(-1, d)


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
