"""Pairs of adjacent words as features: "iron pan", beside "iron" and "pan"."""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.sparse import csr_matrix

from hrrxml.data.bags import Bags
from hrrxml.data.tokens import FIRST_WORD


class Pairs:
    """Pairs of vocabulary words that follow one another in a text.

    A pair of words i and j of n has the key i·n + j, a number of 64 bits. So a text's pairs are
    found without making a string of each.
    """

    def __init__(self, keys: np.ndarray, n_words: int) -> None:
        self.keys = keys  # (pairs,) int64, ascending
        self.n_words = n_words

    def __len__(self) -> int:
        return len(self.keys)

    @classmethod
    def learn(cls, tokens: Bags, n_words: int, least: int, most: int) -> tuple[Self, np.ndarray]:
        """The pairs in at least `least` texts, and in how many texts each is: (pairs,).

        If there are more than `most`, the pairs of the most texts are kept.
        """
        keys, rows = _adjacent(tokens, n_words)
        known, columns = np.unique(keys, return_inverse=True)
        documents = np.diff(_counts(rows, columns, (len(tokens), len(known))).tocsc().indptr)
        order = np.argsort(-documents, kind="stable")[: min(most, int((documents >= least).sum()))]
        kept = np.sort(order)
        return cls(known[kept], n_words), documents[kept]

    @classmethod
    def from_names(cls, names: Sequence[str], vocabulary: Sequence[str]) -> Self:
        """What `names` gave, read again."""
        ids = {word: i for i, word in enumerate(vocabulary)}
        both = (name.split(" ") for name in names)
        keys = (ids[first] * len(ids) + ids[second] for first, second in both)
        return cls(np.fromiter(keys, np.int64, len(names)), len(ids))

    def count(self, tokens: Bags) -> csr_matrix:
        """The count of each pair in each text: (texts, pairs)."""
        keys, rows = _adjacent(tokens, self.n_words)
        columns = np.searchsorted(self.keys, keys)
        found = np.append(self.keys, -1)[columns] == keys
        return _counts(rows[found], columns[found], (len(tokens), len(self)))

    def names(self, vocabulary: Sequence[str]) -> list[str]:
        """Both words of each pair, with a space between."""
        first, second = np.divmod(self.keys, self.n_words)
        both = zip(first.tolist(), second.tolist(), strict=True)
        return [f"{vocabulary[i]} {vocabulary[j]}" for i, j in both]


def _adjacent(tokens: Bags, n_words: int) -> tuple[np.ndarray, np.ndarray]:
    """The keys of all pairs of vocabulary words, and the text of each."""
    words = tokens.ids.numpy().astype(np.int64) - FIRST_WORD
    rows = tokens.rows.numpy()
    first, second = words[:-1], words[1:]
    both = (first >= 0) & (second >= 0) & (rows[:-1] == rows[1:])
    return first[both] * n_words + second[both], rows[:-1][both]


def _counts(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> csr_matrix:
    counts = csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), shape=shape)
    counts.sum_duplicates()
    return counts
