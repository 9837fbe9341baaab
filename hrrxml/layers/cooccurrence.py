"""Word vectors from the co-occurrence of words in the training texts.

A few training texts do not teach an encoder which words are similar in meaning. Words with similar
neighbours are. A word's vector is its row of the positive pointwise mutual information (PMI) of
words and neighbours, reduced to few dimensions by an SVD (Levy et al. 2015).
"""

import numpy as np
import torch
import torch.nn.functional as F
from scipy.sparse import coo_array, csr_array
from torch import Tensor

from hrrxml.config.section import Section
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.layers.words import SPREAD, WordSettings
from hrrxml.runtime.progress import bar

WINDOW = 8  # words on each side; one at distance k counts 1/k
SMOOTHING = 0.75  # power of a neighbour's frequency: without it, rare neighbours get too high a PMI
ITERATIONS = 3  # of the randomised SVD
TINY = 1e-12


def starting_vectors(settings: Section, train: Points) -> Tensor | None:
    """The initial word vectors of an encoder; None for random ones."""
    if not isinstance(settings, WordSettings) or settings.start == "random":
        return None
    if train.tokens is None:
        return None
    return vectors(train.tokens, train.n_tokens, settings.word_dim)


def vectors(tokens: Bags, n_tokens: int, dim: int) -> Tensor:
    """(n_tokens, dim); zeros for padding, unknown words and words without neighbours."""
    from sklearn.utils.extmath import randomized_svd  # takes a second, so only here

    pmi = positive_pmi(neighbours(tokens, n_tokens))
    rank = min(dim, n_tokens)
    u, s, _ = randomized_svd(pmi, rank, n_iter=ITERATIONS, random_state=0)
    u[np.diff(pmi.indptr) == 0] = 0  # removes rounding errors
    table = F.pad(torch.from_numpy(u * np.sqrt(s)), (0, dim - rank))
    return table * (SPREAD / table[FIRST_WORD:].std().clamp(min=TINY))


def neighbours(tokens: Bags, n_tokens: int) -> csr_array:
    """Co-occurrence counts of words, weighted by 1/distance: (n_tokens, n_tokens)."""
    ids, texts = tokens.ids.numpy(), tokens.rows.numpy()
    counts = csr_array((n_tokens, n_tokens), dtype=np.float32)
    for distance in bar(range(1, WINDOW + 1), desc="neighbours", unit="distance", leave=False):
        left, right = ids[:-distance], ids[distance:]
        near = (texts[:-distance] == texts[distance:]) & (np.minimum(left, right) >= FIRST_WORD)
        ones = np.full(np.count_nonzero(near), 1 / distance, np.float32)
        counts += coo_array((ones, (left[near], right[near])), shape=counts.shape).tocsr()
    return counts + counts.T


def positive_pmi(counts: csr_array) -> csr_array:
    """max(0, log p(word, neighbour)/(p(word)·p(neighbour)))."""
    pairs = counts.tocoo()
    row, column = pairs.coords
    words = counts.sum(1)
    contexts = words**SMOOTHING  # the counts are symmetric
    expected = words[row] / words.sum() * contexts[column] / contexts.sum()
    information = np.log(pairs.data / words.sum() / expected)
    kept = information > 0
    parts = (information[kept].astype(np.float32), (row[kept], column[kept]))
    return csr_array(parts, shape=counts.shape)
