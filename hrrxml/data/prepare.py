"""A corpus to its train, validation and test points."""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from hrrxml.data import split, vectors
from hrrxml.data.bags import Bags
from hrrxml.data.corpus import Corpus, Documents
from hrrxml.data.points import Points
from hrrxml.data.text import TextFeatures
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.schema import Split, Text


@dataclass(frozen=True)
class Prepared:
    splits: dict[str, Points]
    vectors: Tensor  # (n_tokens, dim) to start the words from; empty without text.vectors


def prepare(corpus: Corpus, shares: Split, text: Text) -> Prepared:
    """Split; learn the vocabulary and document frequencies from train alone."""
    parts = split.divide(corpus, validation=shares.validation, test=shares.test)
    if corpus.n_features is not None:
        splits = {
            name: _from_features(part, corpus.n_features, corpus.n_labels)
            for name, part in parts.items()
        }
        return Prepared(splits, torch.empty(0, 0))
    texts = {name: part.texts or [] for name, part in parts.items()}
    words = TextFeatures(texts["train"], text.min_documents)
    tokens = {name: words.train if name == "train" else words.tokens(texts[name]) for name in parts}
    splits = {
        name: _from_tokens(tokens[name], words, part.labels, corpus.n_labels)
        for name, part in parts.items()
    }
    if text.vectors is None:
        return Prepared(splits, torch.empty(0, 0))
    rows = FIRST_WORD + len(words.vocabulary)
    return Prepared(splits, vectors.read(Path(text.vectors), words.ids, rows))


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
