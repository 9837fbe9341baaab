"""The vocabulary and the labels' names survive a file, and a damaged file is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from hrrxml.data.words import Words, analyze
from hrrxml.datasets import names
from hrrxml.datasets.names import Names
from hrrxml.datasets.text import TextFeatures
from hrrxml.runtime.errors import UserError

TEXTS = ["the small dog, the dog", "a small cat", "Ünïcode cat and the dog", "zebra"]
ORACLE = CountVectorizer().build_analyzer()


@given(st.text())
def test_words_are_those_of_scikit_learn(text: str) -> None:
    assert analyze(text) == ORACLE(text)


@given(st.lists(st.text("abc \u00e9", max_size=40), min_size=1, max_size=5))
def test_stored_words_give_the_rows_of_scikit_learn_bit_for_bit(texts: list[str]) -> None:
    train = ["aa bb cc ab", "aa bb ba", "aa ca abc", *TEXTS]
    oracle = TfidfVectorizer(sublinear_tf=True, dtype=np.float32).fit(train)
    learned = TextFeatures(train, min_documents=1)
    stored = Words(learned.vocabulary, torch.tensor(learned.idf.tolist()))
    points = stored.points(texts, n_labels=3)
    expected = oracle.transform(texts)
    expected.sort_indices()
    for bags in (points.features, learned.bag_of_words(learned.tokens(texts))):
        rows = bags.to_csr(points.n_features)
        rows.sort_indices()
        np.testing.assert_array_equal(rows.indptr, expected.indptr)
        np.testing.assert_array_equal(rows.indices, expected.indices)
        np.testing.assert_array_equal(rows.data, expected.data)
    assert len(points.labels) == len(texts)
    assert len(points.labels.ids) == 0


def test_any_function_can_find_the_words() -> None:
    learned = TextFeatures(["a-b c", "c a-b"], 1, str.split)
    assert learned.vocabulary == ["a-b", "c"]
    again = Words(learned.vocabulary, learned.idf, str.split)
    assert again.tokens(["c a-b"]).ids.tolist() == learned.tokens(["c a-b"]).ids.tolist()


def known() -> Names:
    words = TextFeatures(TEXTS, min_documents=1)
    return Names(3, words, ["bank", "café", "bank"], ["n1", "n2", "n3"])


def test_a_file_gives_back_the_same_names_and_has_the_same_bytes(tmp_path: Path) -> None:
    names.save(known(), tmp_path / "a.json")
    loaded = names.load(tmp_path / "a.json")
    names.save(loaded, tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert loaded.words is not None
    original = known().words
    assert original is not None
    assert loaded.words.vocabulary == original.vocabulary
    assert torch.equal(loaded.words.idf, original.idf)
    assert (loaded.label_names, loaded.label_keys) == (known().label_names, known().label_keys)


def test_a_dataset_without_texts_or_names(tmp_path: Path) -> None:
    names.save(Names(2), tmp_path / "a.json")
    loaded = names.load(tmp_path / "a.json")
    assert loaded == Names(2)
    assert loaded.unique_labels() == ["0", "1"]


def test_names_are_made_unique_by_keys_or_numbers() -> None:
    assert known().unique_labels() == ["bank (n1)", "café", "bank (n3)"]
    assert Names(2, None, ["x", "x"]).unique_labels() == ["x (0)", "x (1)"]
    clash = Names(3, None, ["x", "x", "x (0)"]).unique_labels()
    assert len(set(clash)) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 9}, "another version"),
        ({"n_labels": 4}, "label_names is not a list of 4"),
        ({"n_labels": "3"}, "n_labels"),
        ({"label_keys": ["n1"]}, "label_keys"),
        ({"idf": [1.0]}, "idf is not a list of"),
        ({"idf": None}, "idf is not a list of"),
        ({"vocabulary": ["dog", "dog"], "idf": [1.0, 1.0]}, "different words"),
        ({"vocabulary": None}, "idf without a vocabulary"),
    ],
)
def test_an_inconsistent_file_is_refused(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    path = tmp_path / "names.json"
    names.save(known(), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(UserError, match=f"{message}.*dvc repro prepare"):
        names.load(path)


def test_a_missing_or_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "names.json"
    with pytest.raises(UserError, match="missing; `dvc repro prepare` makes it"):
        names.load(path)
    names.save(known(), path)
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UserError, match="damaged"):
        names.load(path)
    path.write_text("{}")
    with pytest.raises(UserError, match="another version"):
        names.load(path)
