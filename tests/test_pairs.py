"""Pairs of adjacent words are counted as by hand, and weighted as by scikit-learn."""

from collections import Counter
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from hrrxml.data.bags import Bags
from hrrxml.data.pairs import Pairs
from hrrxml.data.tokens import FIRST_WORD, UNKNOWN
from hrrxml.datasets.text import TextFeatures

N_WORDS = 4
WORDS = ["a", "b", "c", "d"]
# Rows of word numbers; −1 is a word outside the vocabulary.
ROWS = st.lists(st.lists(st.integers(-1, N_WORDS - 1), max_size=12), min_size=1, max_size=8)
TEXTS = [
    "a small iron pan",
    "the iron pan, the iron pan!",
    "pan of iron",
    "small the iron",
    "the small iron pot and the iron pan",
    "",
    "iron",
]


def tokens(rows: list[list[int]]) -> Bags:
    return Bags.from_lists([[FIRST_WORD + i if i >= 0 else UNKNOWN for i in row] for row in rows])


def by_hand(row: list[int]) -> Counter[str]:
    return Counter(f"{WORDS[i]} {WORDS[j]}" for i, j in pairwise(row) if i >= 0 and j >= 0)


@given(ROWS, st.integers(1, 3))
def test_pairs_are_counted_as_by_hand(rows: list[list[int]], least: int) -> None:
    pairs, documents = Pairs.learn(tokens(rows), N_WORDS, least, most=100)
    counted = [by_hand(row) for row in rows]
    texts = Counter(name for row in counted for name in row)
    expected = {name: n for name, n in texts.items() if n >= least}
    names = pairs.names(WORDS)
    assert dict(zip(names, documents.tolist(), strict=True)) == expected
    for row, counts in zip(counted, pairs.count(tokens(rows)).toarray(), strict=True):
        assert counts.tolist() == [row[name] for name in names]


@given(ROWS)
def test_pairs_are_the_same_after_writing_their_names(rows: list[list[int]]) -> None:
    pairs, _ = Pairs.learn(tokens(rows), N_WORDS, least=1, most=100)
    again = Pairs.from_names(pairs.names(WORDS), WORDS)
    assert again.keys.tolist() == pairs.keys.tolist()
    assert again.n_words == N_WORDS


@given(ROWS, st.integers(1, 4))
def test_the_pairs_of_most_texts_are_kept(rows: list[list[int]], most: int) -> None:
    whole, documents = Pairs.learn(tokens(rows), N_WORDS, least=1, most=100)
    some, kept = Pairs.learn(tokens(rows), N_WORDS, least=1, most=most)
    assert sorted(kept, reverse=True) == sorted(documents, reverse=True)[:most]
    assert set(some.keys) <= set(whole.keys)


def test_a_pair_of_two_texts_is_not_seen() -> None:
    assert len(Pairs.learn(tokens([[0], [1]]), N_WORDS, least=1, most=9)[0]) == 0


def test_scikit_learns_own_vectorizer_gives_the_same_rows() -> None:
    oracle = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, dtype=np.float32).fit(
        TEXTS
    )
    ours = TextFeatures(TEXTS, min_documents=2, most_pairs=1000)
    names = oracle.get_feature_names_out().tolist()
    assert sorted(ours.names) == names
    order = [ours.names.index(name) for name in names]
    unseen = [*TEXTS, "the iron zebra pan", "pan the small small iron pan"]
    rows = ours.bag_of_words(ours.tokens(unseen)).to_csr(len(names)).toarray()[:, order]
    np.testing.assert_allclose(rows, oracle.transform(unseen).toarray(), rtol=1e-6)
