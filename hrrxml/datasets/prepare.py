"""Convert a corpus to train, validation and test points, and keep what their numbers stand for."""

from hrrxml.config.schema import Split, Text
from hrrxml.data.points import Points
from hrrxml.data.words import Words
from hrrxml.datasets import split
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.names import Names
from hrrxml.datasets.text import TextFeatures


def prepare(corpus: Corpus, shares: Split, text: Text) -> tuple[dict[str, Points], Names]:
    """The three splits. Vocabulary and document frequencies come only from train."""
    parts = split.divide(corpus, validation=shares.validation, test=shares.test)
    if corpus.n_features is None:
        return _from_texts(parts, corpus, text.min_documents)
    points = {
        name: _from_features(part, corpus.n_features, corpus.n_labels)
        for name, part in parts.items()
    }
    return points, _names(corpus, None)


def _from_features(part: Documents, n_features: int, n_labels: int) -> Points:
    assert part.features is not None
    return Points(
        features=part.features,
        tokens=None,
        labels=part.labels,
        n_features=n_features,
        n_tokens=0,
        n_labels=n_labels,
    )


def _from_texts(
    parts: dict[str, Documents], corpus: Corpus, min_documents: int
) -> tuple[dict[str, Points], Names]:
    texts = {name: part.texts or [] for name, part in parts.items()}
    words = TextFeatures(texts["train"], min_documents)
    tokens = {name: words.train if name == "train" else words.tokens(texts[name]) for name in parts}
    points = {
        name: words.label(tokens[name], part.labels, corpus.n_labels)
        for name, part in parts.items()
    }
    return points, _names(corpus, words)


def _names(corpus: Corpus, words: Words | None) -> Names:
    return Names(corpus.n_labels, words, corpus.label_names, corpus.label_keys)
