"""A vocabulary that turns texts into word ids and tf-idf features of words and pairs."""

import re
from array import array
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix, hstack
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.data.pairs import Pairs
from hrrxml.data.points import Points
from hrrxml.data.tokens import FIRST_WORD, UNKNOWN
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

Analyzer = Callable[[str], Sequence[str]]
WORD = re.compile(r"(?u)\b\w\w+\b")


def analyze(text: str) -> list[str]:
    """Words of two letters and more, in lower case: scikit-learn's default analyzer."""
    return WORD.findall(text.lower())


class Words:
    """A vocabulary with its inverse document frequencies, learned or read from a file.

    Each word is a feature. If there are `pairs`, each of them is one too, after the words.
    """

    def __init__(
        self,
        vocabulary: Sequence[str],
        idf: Tensor,
        analyzer: Analyzer | None = None,
        pairs: Pairs | None = None,
    ) -> None:
        n_features = len(vocabulary) + (0 if pairs is None else len(pairs))
        if n_features != len(idf):
            raise UserError(f"{n_features} words, but {len(idf)} document frequencies")
        self.vocabulary = list(vocabulary)
        self.pairs = pairs
        self.idf = idf
        self.analyzer = analyzer or analyze
        self.ids = {word: FIRST_WORD + i for i, word in enumerate(self.vocabulary)}

    def tokens(self, texts: Sequence[str]) -> Bags:
        """Word ids in reading order; word i of the vocabulary is `FIRST_WORD + i`."""
        return number(texts, lambda word: self.ids.get(word, UNKNOWN), self.analyzer)

    def points(self, texts: Sequence[str], n_labels: int) -> Points:
        """Points with the words and features of these texts, and without labels."""
        return self.label(self.tokens(texts), Bags.from_lists([[]] * len(texts)), n_labels)

    def label(self, tokens: Bags, labels: Bags, n_labels: int) -> Points:
        """Points with the words and features of tokenised texts, and with labels."""
        return Points(
            features=self.bag_of_words(tokens),
            tokens=tokens,
            labels=labels,
            n_features=len(self.idf),
            n_tokens=FIRST_WORD + len(self.vocabulary),
            n_labels=n_labels,
        )

    def bag_of_words(self, tokens: Bags) -> Bags:
        """Unit-length tf-idf rows, one feature per vocabulary word and pair."""
        counts = count_words(tokens, len(self.vocabulary))
        if self.pairs is not None:
            counts = hstack([counts, self.pairs.count(tokens)], format="csr")
        return Bags.from_csr(self._tfidf.transform(counts))

    @cached_property
    def names(self) -> list[str]:
        """The word or the pair of each feature."""
        pairs = [] if self.pairs is None else self.pairs.names(self.vocabulary)
        return self.vocabulary + pairs

    @cached_property
    def _tfidf(self) -> Any:
        transformer = _transformer()
        transformer.idf_ = self.idf.numpy()
        return transformer


def _transformer() -> Any:
    from sklearn.feature_extraction.text import TfidfTransformer  # slow to import

    return TfidfTransformer(sublinear_tf=True)


def number(texts: Sequence[str], number: Callable[[str], int], analyzer: Analyzer) -> Bags:
    """The words of each text in reading order, each replaced by its number."""
    ids, offsets = array("i"), array("q", [0])
    for text in bar(texts, desc="tokenise", unit="text"):
        ids.extend(map(number, analyzer(text)))
        offsets.append(len(ids))
    # This copies, because torch cannot view an empty buffer.
    return Bags(torch.tensor(np.asarray(ids)), torch.tensor(np.asarray(offsets)))


def count_words(tokens: Bags, n_words: int) -> csr_matrix:
    """The count of each vocabulary word in each text: (texts, words)."""
    return count(tokens, FIRST_WORD + n_words)[:, FIRST_WORD:]


def count(bags: Bags, width: int) -> csr_matrix:
    counts = bags.to_csr(width).copy()
    counts.sum_duplicates()
    return counts
