"""Word vectors from the training texts themselves: which words stand near which.

Texts with the same labels share more meaning than words, and a few words of training text are not
enough to learn which mean the same. Their neighbours tell: rows of the positive pointwise mutual
information of words and their neighbours, reduced to a few dimensions (Levy et al. 2015: what
word2vec learns, by counting).
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

WINDOW = 8  # words to either side; one at distance k counts 1/k
SMOOTHING = 0.75  # power of a neighbour's frequency: rare ones would else seem too telling
ITERATIONS = 3  # of the randomised decomposition
TINY = 1e-12


def starting_vectors(settings: Section, train: Points) -> Tensor | None:
    """The vectors that an encoder's words start from; None where they start at random."""
    if not isinstance(settings, WordSettings) or settings.start == "random":
        return None
    if train.tokens is None:
        return None
    return vectors(train.tokens, train.n_tokens, settings.word_dim)


def vectors(tokens: Bags, n_tokens: int, dim: int) -> Tensor:
    """(n_tokens, dim); zeros for padding, unknown words and those without a neighbour."""
    from sklearn.utils.extmath import randomized_svd  # a second that others can do without

    telling = positive_pmi(neighbours(tokens, n_tokens))
    rank = min(dim, n_tokens)
    u, s, _ = randomized_svd(telling, rank, n_iter=ITERATIONS, random_state=0)
    u[np.diff(telling.indptr) == 0] = 0  # but for rounding, it is
    table = F.pad(torch.from_numpy(u * np.sqrt(s)), (0, dim - rank))
    return table * (SPREAD / table[FIRST_WORD:].std().clamp(min=TINY))


def neighbours(tokens: Bags, n_tokens: int) -> csr_array:
    """How often words stand near one another, the nearer the more: (n_tokens, n_tokens)."""
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
    of_word = counts.sum(1)
    of_neighbour = of_word**SMOOTHING  # the counts are symmetric
    expected = of_word[row] / of_word.sum() * of_neighbour[column] / of_neighbour.sum()
    information = np.log(pairs.data / of_word.sum() / expected)
    kept = information > 0
    parts = (information[kept].astype(np.float32), (row[kept], column[kept]))
    return csr_array(parts, shape=counts.shape)
