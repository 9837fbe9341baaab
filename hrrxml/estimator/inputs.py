"""A user's points: texts, or features as a sparse or dense matrix."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix

from hrrxml.data.bags import Bags
from hrrxml.data.words import Words, analyze
from hrrxml.datasets.text import TextFeatures
from hrrxml.runtime.errors import InputError


def are_texts(X: Any) -> bool:
    """Whether X is a sequence of strings, rather than a matrix."""
    if isinstance(X, str):
        raise InputError("X is one string; give a list of texts")
    first = X[0] if isinstance(X, list | tuple) and len(X) else None
    if isinstance(X, np.ndarray) and X.ndim == 1 and len(X):
        first = X[0]
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 1 and len(X):  # a pandas Series
        first = X.iloc[0]
    return isinstance(first, str)


class Texts:
    """Turns texts into weighted bags of features, with what it learned from training texts.

    `vectorizer` is None (words of two letters and more, tf-idf), a function from a text to its
    terms, or an object with scikit-learn's `fit_transform` and `transform`.
    """

    def __init__(self, vectorizer: Any = None) -> None:
        self.vectorizer = vectorizer
        self.words: Words | None = None

    @property
    def kind(self) -> str:
        """What a saved model calls the vectorizer."""
        if self.vectorizer is None:
            return "words"
        return type(self.vectorizer).__name__ if self.is_own else "function"

    @property
    def is_own(self) -> bool:
        """Whether the vectorizer is an object of the user's, which has learned by itself."""
        return hasattr(self.vectorizer, "transform")

    def learn(self, texts: Sequence[str]) -> Bags:
        """Learn the vocabulary; returns the features of the training texts."""
        texts = check_texts(texts)
        if self.is_own:
            return Bags.from_csr(csr_matrix(self.vectorizer.fit_transform(texts)))
        # A word of one text alone teaches nothing about others, unless there are few texts.
        least = 2 if len(texts) >= 100 else 1
        learned = TextFeatures(texts, least, self.vectorizer or analyze)
        self.words = Words(learned.vocabulary, learned.idf, self.vectorizer)
        return learned.bag_of_words(learned.train)

    def features(self, texts: Sequence[str]) -> Bags:
        texts = check_texts(texts)
        if self.words is None:
            return Bags.from_csr(csr_matrix(self.vectorizer.transform(texts)))
        return self.words.bag_of_words(self.words.tokens(texts))

    @property
    def names(self) -> list[str]:
        """The word or term of each feature."""
        if self.words is not None:
            return list(self.words.vocabulary)
        return [str(name) for name in self.vectorizer.get_feature_names_out()]


def check_texts(texts: Any) -> list[str]:
    rows = list(texts)
    for place, text in enumerate(rows):
        if not isinstance(text, str):
            raise InputError(f"X[{place}] is {type(text).__name__}, not a text")
    return rows


@dataclass(frozen=True)
class Scaling:
    """How rows of features are scaled, so that one learning rate fits all units."""

    by_row: bool  # each row to length 1
    factor: float = 1.0  # else all rows by one factor, to a root mean square length of 1

    @staticmethod
    def learn(X: csr_matrix | np.ndarray) -> "Scaling":
        """Counts and weights of words, mostly zero and never negative, are scaled by row."""
        matrix = csr_matrix(X, dtype=np.float64)
        mostly_zero = 2 * matrix.nnz < matrix.shape[0] * matrix.shape[1]
        if mostly_zero and (matrix.data >= 0).all():
            return Scaling(by_row=True)
        square = float(matrix.multiply(matrix).sum()) / max(1, matrix.shape[0])
        return Scaling(by_row=False, factor=square**-0.5 if square > 0 else 1.0)

    def __call__(self, X: csr_matrix | np.ndarray) -> Bags:
        """The nonzero features of each row, scaled."""
        matrix = csr_matrix(X, dtype=np.float32, copy=True)
        if self.by_row:
            lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1)).A1
            rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
            matrix.data /= np.maximum(lengths, 1e-12)[rows]
        else:
            matrix.data *= self.factor
        return Bags.from_csr(matrix)


def without_each(bags: Bags) -> Bags:
    """For one point with n features: n rows, and row i has all features but the i-th."""
    n = len(bags.ids)
    kept = ~torch.eye(n, dtype=torch.bool)
    assert bags.weights is not None
    return Bags(
        bags.ids.repeat(n)[kept.flatten()],
        torch.arange(n + 1) * max(0, n - 1),
        bags.weights.repeat(n)[kept.flatten()],
    )
