"""Features and tokens come from the training vocabulary; splits from the text alone."""

import numpy as np
import pytest

from hrrxml.data import split
from hrrxml.data.corpus import Corpus
from hrrxml.data.prepare import prepare
from hrrxml.data.text import FIRST_WORD, UNKNOWN, TextFeatures
from hrrxml.errors import UserError

TEXTS = ["the small dog", "the small cat", "a cat and the dog"]


def test_tokens_keep_the_order_and_mark_unknown_words() -> None:
    features = TextFeatures(TEXTS, min_documents=2)
    assert features.vocabulary == ["cat", "dog", "small", "the"]
    the, zebra, cat = FIRST_WORD + 3, UNKNOWN, FIRST_WORD
    assert features.tokens(["The zebra, the CAT!"]).ids.tolist() == [the, zebra, the, cat]


def test_tfidf_rows_have_unit_length_and_rare_words_weigh_more() -> None:
    bags = TextFeatures(TEXTS, min_documents=1).bag_of_words(["the cat", "zebra"])
    row, unknown = bags.to_csr(5).toarray()
    assert np.linalg.norm(row) == pytest.approx(1)
    cat, the = row[1], row[4]
    assert 0 < the < cat
    assert not unknown.any()


def test_an_empty_vocabulary_names_the_key() -> None:
    with pytest.raises(UserError, match=r"text\.min_documents"):
        TextFeatures(TEXTS, min_documents=4)


def test_split_depends_on_the_text_alone() -> None:
    texts = [f"text {i}" for i in range(5000)]
    parts = split.assign(texts, validation=0.1, test=0.2)
    assert sorted(i for rows in parts.values() for i in rows) == list(range(5000))
    assert len(parts["test"]) == pytest.approx(1000, rel=0.1)
    assert len(parts["validation"]) == pytest.approx(500, rel=0.15)
    again = split.assign(texts[::-1] + texts, validation=0.1, test=0.2)
    assert {texts[i] for i in parts["test"]} == {(texts[::-1] + texts)[i] for i in again["test"]}


def test_the_hash_is_fixed() -> None:
    """Another hash would be another split, and other results."""
    assert split.position("dog") == 0xCD6357EFDD96 / 2**48  # SHA-256 of "dog" begins so


def test_vocabulary_is_learned_from_train_alone() -> None:
    texts = [f"common word{split.position(f'x{i}')}" for i in range(60)] + ["common"] * 3
    corpus = Corpus(texts, [[i % 2] for i in range(len(texts))], ["even", "odd"])
    parts = prepare(corpus, validation=0.2, test=0.2, min_documents=1)
    train_texts = [texts[i] for i in split.assign(texts, validation=0.2, test=0.2)["train"]]
    words = {word for text in train_texts for word in text.replace(".", " ").split()}
    assert parts["test"].n_features == len({w for w in words if len(w) > 1})
    assert sum(len(part) for part in parts.values()) == len(texts)
