"""Convert a corpus to train, validation and test points."""

from hrrxml.config.schema import Split, Text
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.datasets import split
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.text import TextFeatures


def prepare(corpus: Corpus, shares: Split, text: Text) -> dict[str, Points]:
    """The three splits. Vocabulary and document frequencies come only from train."""
    parts = split.divide(corpus, validation=shares.validation, test=shares.test)
    if corpus.n_features is not None:
        return {
            name: _from_features(part, corpus.n_features, corpus.n_labels)
            for name, part in parts.items()
        }
    texts = {name: part.texts or [] for name, part in parts.items()}
    words = TextFeatures(texts["train"], text.min_documents)
    tokens = {name: words.train if name == "train" else words.tokens(texts[name]) for name in parts}
    return {
        name: _from_tokens(tokens[name], words, part.labels, corpus.n_labels)
        for name, part in parts.items()
    }


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


def _from_tokens(tokens: Bags, words: TextFeatures, labels: Bags, n_labels: int) -> Points:
    return Points(
        features=words.bag_of_words(tokens),
        tokens=tokens,
        labels=labels,
        n_features=len(words.vocabulary),
        n_tokens=FIRST_WORD + len(words.vocabulary),
        n_labels=n_labels,
    )
