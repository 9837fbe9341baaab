"""Features and tokens come from the training vocabulary; splits from the text alone."""

import numpy as np
import pytest
import torch
from sklearn.feature_extraction.text import TfidfVectorizer

from hrrxml.config.schema import Split, Text
from hrrxml.data.bags import Bags
from hrrxml.data.tokens import FIRST_WORD, UNKNOWN
from hrrxml.datasets import split
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.prepare import prepare
from hrrxml.datasets.text import TextFeatures
from hrrxml.runtime.errors import UserError

TEXT = Text(min_documents=1)
TEXTS = ["the small dog", "the small cat", "a cat and the dog"]


def test_tokens_keep_the_order_and_mark_unknown_words() -> None:
    features = TextFeatures(TEXTS, min_documents=2)
    assert features.vocabulary == ["cat", "dog", "small", "the"]
    the, zebra, cat = FIRST_WORD + 3, UNKNOWN, FIRST_WORD
    assert features.tokens(["The zebra, the CAT!"]).ids.tolist() == [the, zebra, the, cat]


def test_tfidf_rows_have_unit_length_and_rare_words_weigh_more() -> None:
    features = TextFeatures(TEXTS, min_documents=1)
    bags = features.bag_of_words(features.tokens(["the cat", "zebra"]))
    row, unknown = bags.to_csr(5).toarray()
    assert np.linalg.norm(row) == pytest.approx(1)
    cat, the = row[1], row[4]
    assert 0 < the < cat
    assert not unknown.any()


def test_scikit_learns_own_vectorizer_gives_the_same_rows() -> None:
    texts = [
        f"{a} {b} {a} and {c}" for a in ["xx", "yy", "zz"] for b in ("a1", "b2") for c in TEXTS
    ]
    oracle = TfidfVectorizer(min_df=2, sublinear_tf=True, dtype=np.float32).fit(texts)
    ours = TextFeatures(texts, min_documents=2)
    assert ours.vocabulary == oracle.get_feature_names_out().tolist()
    for some, tokens in ((texts, ours.train), (TEXTS, ours.tokens(TEXTS))):
        rows = ours.bag_of_words(tokens).to_csr(len(ours.vocabulary))
        np.testing.assert_array_equal(rows.toarray(), oracle.transform(some).toarray())


def test_training_texts_are_tokenised_as_any_others() -> None:
    features = TextFeatures(TEXTS, min_documents=2)
    assert features.train.ids.tolist() == features.tokens(TEXTS).ids.tolist()
    assert features.train.offsets.tolist() == features.tokens(TEXTS).offsets.tolist()


def test_an_empty_vocabulary_names_the_key() -> None:
    with pytest.raises(UserError, match=r"text\.min_documents"):
        TextFeatures(TEXTS, min_documents=4)


def test_split_depends_on_the_content_alone() -> None:
    contents = [f"text {i}".encode() for i in range(5000)]
    parts = split.assign(contents, validation=0.1, test=0.2)
    assert sorted(i for rows in parts.values() for i in rows) == list(range(5000))
    assert len(parts["test"]) == pytest.approx(1000, rel=0.1)
    assert len(parts["validation"]) == pytest.approx(500, rel=0.15)
    twice = contents[::-1] + contents
    again = split.assign(twice, validation=0.1, test=0.2)
    assert {contents[i] for i in parts["test"]} == {twice[i] for i in again["test"]}


def test_the_hash_is_fixed() -> None:
    """Another hash would be another split, and other results."""
    assert split.position(b"dog") == 0xCD6357EFDD96 / 2**48  # SHA-256 of "dog" begins so


def corpus_of(texts: list[str], test: list[str] | None = None) -> Corpus:
    def documents(some: list[str]) -> Documents:
        return Documents(Bags.from_lists([[i % 2] for i in range(len(some))]), texts=some)

    return Corpus(documents(texts), None if test is None else documents(test), n_labels=2)


def test_vocabulary_is_learned_from_train_alone() -> None:
    texts = [f"common word{split.position(b'x%d' % i)}" for i in range(60)] + ["common"] * 3
    parts, _ = prepare(corpus_of(texts), Split(validation=0.2, test=0.2), TEXT)
    rows = split.assign((text.encode() for text in texts), validation=0.2, test=0.2)
    words = {word for i in rows["train"] for word in texts[i].replace(".", " ").split()}
    assert parts["test"].n_features == len({w for w in words if len(w) > 1})
    assert sum(len(part) for part in parts.values()) == len(texts)


def test_a_published_test_set_is_kept() -> None:
    texts = [f"word and word{i}" for i in range(200)]
    parts, _ = prepare(corpus_of(texts, ["word", "other"]), Split(validation=0.1, test=0.5), TEXT)
    assert len(parts["test"]) == 2
    assert len(parts["train"]) + len(parts["validation"]) == 200
    assert 5 <= len(parts["validation"]) <= 40


def test_features_are_split_by_their_own_hash() -> None:
    """Equal rows stay together; features go through as they are, and there are no tokens."""
    rows = [[i, 90 + i % 2] for i in range(80)] * 2
    bags = Bags.from_lists(rows)
    features = Bags(bags.ids, bags.offsets, torch.ones(len(bags.ids)))
    corpus = Corpus(Documents(bags, features=features), None, n_labels=99, n_features=100)
    parts, _ = prepare(corpus, Split(validation=0.2, test=0.2), TEXT)
    assert sum(len(part) for part in parts.values()) == 160
    seen = [
        {tuple(row) for row in part.features.ids.view(-1, 2).tolist()} for part in parts.values()
    ]
    assert sum(map(len, seen)) == 80
    assert all(part.tokens is None and part.n_features == 100 for part in parts.values())


def test_an_empty_split_is_named() -> None:
    with pytest.raises(UserError, match=r"the \w+ split has no documents: (raise|lower)"):
        prepare(corpus_of(["one", "two"]), Split(validation=0.1, test=0.1), TEXT)
