"""A corpus to its train, validation and test points."""

from hrrxml.data import split
from hrrxml.data.bags import Bags
from hrrxml.data.corpus import Corpus
from hrrxml.data.points import Points
from hrrxml.data.text import FIRST_WORD, TextFeatures


def prepare(
    corpus: Corpus, *, validation: float, test: float, min_documents: int
) -> dict[str, Points]:
    """Split by hash; learn the vocabulary and document frequencies from train alone."""
    rows = split.assign(corpus.texts, validation=validation, test=test)
    texts = {name: [corpus.texts[i] for i in rows[name]] for name in rows}
    text_features = TextFeatures(texts["train"], min_documents)
    words = len(text_features.vocabulary)
    return {
        name: Points(
            features=text_features.bag_of_words(texts[name]),
            tokens=text_features.tokens(texts[name]),
            labels=Bags.from_lists([corpus.labels[i] for i in rows[name]]),
            n_features=words,
            n_tokens=FIRST_WORD + words,
            n_labels=len(corpus.label_names),
        )
        for name in rows
    }
