"""A user's points: texts, or features as a sparse or dense matrix."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, issparse
from sklearn.base import clone

from hrrxml.data.bags import Bags
from hrrxml.data.words import Words, analyze
from hrrxml.datasets.text import TextFeatures
from hrrxml.runtime.errors import InputError, UserError

PAIRS = 100_000  # pairs of words, at most
SHORT = 30  # different words in a text, on average: pairs add nothing to longer texts
ENOUGH = 100  # texts; from here on, a word of one text alone is left out: it teaches nothing


def are_texts(X: Any) -> bool:
    """Whether X is a sequence with a string in it, rather than a matrix."""
    rows = X if isinstance(X, list | tuple) else []
    if getattr(X, "ndim", 0) == 1 and not issparse(X):  # an array, or a pandas Series
        rows = list(X)
    for row in rows:
        if isinstance(row, bytes):
            raise InputError("X has bytes; decode them to texts: data.decode('utf-8')")
    return any(isinstance(row, str) for row in rows)


@dataclass(frozen=True)
class Scaling:
    """How rows of features are scaled, so that one learning rate fits all units."""

    by_row: bool  # each row to length 1
    factor: float = 1.0  # else all rows by one factor, to a root mean square length of 1

    @staticmethod
    def learn(X: csr_matrix | np.ndarray) -> "Scaling":
        """Counts and weights of words, mostly zero and never negative, are scaled by row."""
        matrix = _canonical(X)
        mostly_zero = 2 * matrix.nnz < matrix.shape[0] * matrix.shape[1]
        if mostly_zero and (matrix.data >= 0).all():
            return Scaling(by_row=True)
        square = float((matrix.data**2).sum()) / max(1, matrix.shape[0])
        return Scaling(by_row=False, factor=square**-0.5 if square > 0 else 1.0)

    def __call__(self, X: csr_matrix | np.ndarray) -> Bags:
        """The nonzero features of each row, scaled."""
        matrix = _canonical(X)
        if self.by_row:
            squares = np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel()
            factors = 1 / np.sqrt(np.maximum(squares, 1e-300))
            matrix.data *= np.repeat(factors, np.diff(matrix.indptr))
        else:
            matrix.data *= self.factor
        return Bags.from_csr(matrix)


def _canonical(X: Any) -> csr_matrix:
    """A copy with each nonzero value stored once."""
    matrix = csr_matrix(X, dtype=np.float64, copy=True)
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


class Texts:
    """Turns texts into weighted bags of features, with what it learned from training texts.

    `vectorizer` is None (words of two letters and more, in short texts pairs of them too, tf-idf),
    a function from a text to its terms, or an object with scikit-learn's `fit_transform` and
    `transform`.
    """

    def __init__(self, vectorizer: Any = None, most_pairs: int = PAIRS) -> None:
        self.vectorizer = vectorizer
        self.most_pairs = most_pairs if vectorizer is None else 0
        self.n_features = 0
        self.words: Words | None = None  # None: the vectorizer is an object, and has learned
        self.scaling: Scaling | None = None  # of what an object makes of the texts

    @property
    def kind(self) -> str:
        """What a saved model calls the vectorizer."""
        if self.vectorizer is None:
            has_pairs = self.words is not None and self.words.pairs is not None
            return "words and pairs" if has_pairs else "words"
        return type(self.vectorizer).__name__ if self.is_object else "function"

    @property
    def is_object(self) -> bool:
        return hasattr(self.vectorizer, "transform")

    def learn(self, texts: Any) -> Bags:
        """Learn the vocabulary; returns the features of the training texts."""
        texts = _check_texts(texts)
        if self.is_object:
            self.vectorizer = clone(self.vectorizer, safe=False)  # the user's stays unfitted
            matrix = _check_matrix(self.vectorizer.fit_transform(texts), len(texts))
            self.n_features = matrix.shape[1]
            self.scaling = Scaling.learn(matrix)
            return self.scaling(matrix)
        learned = self._learn_words(texts)
        self.words = Words(learned.vocabulary, learned.idf, self.vectorizer, learned.pairs)
        self.n_features = len(learned.idf)
        return learned.bag_of_words(learned.train)

    def _learn_words(self, texts: list[str]) -> TextFeatures:
        if self.vectorizer is not None and isinstance(self.vectorizer(texts[0]), str):
            raise InputError("vectorizer gives a string; it must give a list of terms")
        least = 2 if len(texts) >= ENOUGH else 1
        try:
            learned = TextFeatures(texts, least, self.vectorizer or analyze, self.most_pairs, SHORT)
        except UserError as error:
            what = "word" if self.vectorizer is None else "term"
            fault = f"no {what} is in two texts" if least == 2 else f"no text has a {what}"
            raise InputError(f"{fault}, so there is nothing to learn from") from error
        if not all(isinstance(term, str) for term in learned.vocabulary):
            raise InputError("vectorizer gives terms that are no strings; make them strings")
        return learned

    def features(self, texts: Any) -> Bags:
        texts = _check_texts(texts)
        if not texts:
            return Bags.from_csr(csr_matrix((0, self.n_features)))
        if self.words is not None:
            return self.words.bag_of_words(self.words.tokens(texts))
        matrix = _check_matrix(self.vectorizer.transform(texts), len(texts))
        if matrix.shape[1] != self.n_features:
            raise InputError(
                f"the vectorizer gives {matrix.shape[1]} features, but the model takes "
                f"{self.n_features}; give the vectorizer that was fitted with the model"
            )
        assert self.scaling is not None
        return self.scaling(matrix)

    @property
    def names(self) -> Any:
        """The word, pair or term of each feature; its number if the vectorizer has no names."""
        if self.words is not None:
            return self.words.names
        if hasattr(self.vectorizer, "get_feature_names_out"):
            return [str(name) for name in self.vectorizer.get_feature_names_out()]
        return range(self.n_features)


def _check_texts(texts: Any) -> list[str]:
    rows = list(texts)
    for place, text in enumerate(rows):
        if not isinstance(text, str):
            raise InputError(f"X[{place}] is {type(text).__name__}, not a text")
    return rows


def _check_matrix(matrix: Any, n_texts: int) -> csr_matrix:
    """What a vectorizer made of texts, as a matrix."""
    matrix = csr_matrix(matrix, dtype=np.float32)
    if matrix.shape[0] != n_texts or not np.isfinite(matrix.data).all():
        raise InputError("vectorizer must give one row of finite numbers per text")
    return matrix
