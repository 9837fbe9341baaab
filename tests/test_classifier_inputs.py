"""What HolographicClassifier takes for texts, features and labels, and what it refuses."""

from collections import deque
from collections.abc import Callable
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.preprocessing import MultiLabelBinarizer

from hrrxml import HolographicClassifier, UserError
from hrrxml.runtime.errors import InputError

TEXTS = ["iron pan", "iron pan rust", "bread dough", "bread dough oven", "steel knife", "knife"] * 4
TAGS = [["iron"], ["iron", "rust"], ["bread"], ["bread", "oven"], ["knife"], []] * 4
WORDS = sorted({"iron", "rust", "bread", "oven", "knife"})
ONE = ["iron", "iron", "bread", "bread", "knife", "knife"] * 4
INDICATOR = MultiLabelBinarizer(classes=WORDS).fit_transform(TAGS)
FEATURES = CountVectorizer().fit_transform(TEXTS)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


def quick(**options: Any) -> HolographicClassifier:
    return HolographicClassifier(epochs=2, **options)


def shown(clf: HolographicClassifier, X: Any = None) -> Any:
    return clf.predict(TEXTS if X is None else X, k=3)


# texts


@pytest.mark.parametrize(
    "form",
    [
        tuple,
        iter,
        deque,
        np.array,
        lambda rows: np.array(rows, dtype=object),
        pd.Series,
        lambda rows: pd.Series(rows, index=range(100, 100 + len(rows))),
        lambda rows: pd.Series(rows, dtype="string"),
        lambda rows: dict(enumerate(rows)).values(),
        lambda rows: (row for row in rows),
    ],
)
def test_texts_in_any_sequence(form: Callable[[list[str]], Any]) -> None:
    expected = shown(quick().fit(TEXTS, TAGS))
    clf = quick().fit(form(TEXTS), TAGS)
    assert shown(clf, form(TEXTS)) == expected
    assert clf.score(form(TEXTS), TAGS) == clf.score(TEXTS, TAGS)
    assert shown(quick().partial_fit(form(TEXTS), TAGS)) == shown(quick().partial_fit(TEXTS, TAGS))


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([], "X is empty"),
        (iter([]), "X is empty"),
        ("one text", "X is one str"),
        ({"a": "text"}, "X is one dict"),
        ({"a text", "another"}, "X is one set"),
        (["a text", None], r"X\[1\] is NoneType, not a text"),
        ([float("nan"), "a text"], r"X\[0\] is float, not a text"),
        ([b"caf\xe9", b"more"], "decode them"),
        (["!", "?"], "no text has a word"),
        ([f"word{i}" for i in range(200)], "no word is in two texts"),
    ],
)
def test_texts_that_cannot_be_learned_from(X: Any, message: str) -> None:
    tags = [["a"], ["b"]] * (len(X) // 2) if isinstance(X, list) else [["a"]]
    with pytest.raises(InputError, match=message):
        quick().fit(X, tags)


def test_labels_are_checked_before_the_texts_are_read() -> None:
    def never(text: str) -> list[str]:
        raise AssertionError

    for y, message in ((TAGS[:-1], "labels of 23 points"), ([[]] * 24, "no point has a label")):
        with pytest.raises(InputError, match=message):
            quick(vectorizer=never).fit(TEXTS, y)


def test_texts_that_say_nothing_have_the_answer_of_no_words() -> None:
    clf = quick().fit(TEXTS, TAGS)
    nothing, unknown, blank, half = clf.predict(["", "qwertz", "\u2028 \t", "\ud800"], k=5)
    assert nothing == unknown == blank == half
    assert len(nothing) == 5


def test_a_huge_text_is_a_text() -> None:
    clf = quick().fit(TEXTS, TAGS)
    assert clf.predict(["iron pan " * 500_000], k=3) == clf.predict(["iron pan"], k=3)


def test_unicode_words_and_labels() -> None:
    texts, tags = (
        ["crème brûlée", "麻婆豆腐 花椒", "борщ 🍲"] * 3,
        [["a, b"], ["豆腐"], ["🍲\n"]] * 3,
    )
    clf = HolographicClassifier(epochs=40).fit(texts, tags)
    assert [row[0][0] for row in clf.predict(texts[:3], k=1)] == ["a, b", "豆腐", "🍲\n"]
    assert {word for word, _ in clf.explain("crème brûlée", "a, b")} == {
        "crème",
        "brûlée",
        "crème brûlée",
    }


def test_no_texts_have_no_answer() -> None:
    for y, empty in ((TAGS, []), (ONE, []), (INDICATOR, []), (sparse.csr_array(INDICATOR), [])):
        clf = quick().fit(TEXTS, y)
        assert clf.predict([], k=3) == empty
        assert len(np.asarray(getattr(clf.predict([]), "toarray", lambda: [])())) == 0
        clf = quick().fit(FEATURES, y)
        assert clf.predict(FEATURES[:0], k=3) == empty
        assert clf.predict(FEATURES[:0], threshold=0.1) == empty
        assert np.shape(clf.predict(FEATURES[:0]))[0] == 0


def test_a_model_of_texts_takes_texts_alone() -> None:
    clf = quick().fit(TEXTS, TAGS)
    for X in (FEATURES, FEATURES.toarray(), [[1.0, 2.0]], [1, 2], pd.DataFrame({"a": TEXTS}), 5):
        with pytest.raises(InputError, match="trained on texts; give a list of texts"):
            clf.predict(X)
    with pytest.raises(InputError, match="X is one str"):
        clf.predict("iron pan")
    clf = quick().fit(FEATURES, TAGS)
    for X in (TEXTS, np.array(TEXTS), pd.Series(TEXTS)):
        with pytest.raises(InputError, match="trained on features, not on texts"):
            clf.predict(X)


# vectorizers


def test_a_function_splits_texts_into_terms() -> None:
    def letters(text: str) -> list[str]:
        return [text[i : i + 3] for i in range(len(text) - 2)]

    clf = quick(vectorizer=letters).fit(TEXTS, TAGS)
    expected = quick().fit([" ".join(f"{ord(c):x}" for c in t) for t in TEXTS], TAGS)
    assert clf.n_features_in_ == len({term for text in TEXTS for term in letters(text)})
    assert clf.n_features_in_ != expected.n_features_in_
    assert {term for term, _ in clf.explain("iron", "iron")} == {"iro", "ron"}


@pytest.mark.parametrize(
    "vectorizer",
    [
        TfidfVectorizer(ngram_range=(1, 2), stop_words=["pan"]),
        CountVectorizer(analyzer="char_wb", ngram_range=(2, 3)),
        HashingVectorizer(n_features=64, alternate_sign=True),
    ],
)
def test_an_object_is_copied_and_its_features_are_scaled(vectorizer: Any) -> None:
    clf = quick(vectorizer=vectorizer).fit(TEXTS, TAGS)
    by_hand = quick().fit(
        vectorizer.__class__(**vectorizer.get_params()).fit_transform(TEXTS), TAGS
    )
    assert shown(clf) == shown(by_hand, clf.vectorizer_.transform(TEXTS))
    assert not hasattr(vectorizer, "vocabulary_")
    other = quick(vectorizer=vectorizer).fit(["nothing in common"] * 3, [["a"]] * 3)
    assert other.n_features_in_ <= 64
    assert shown(clf) == shown(by_hand, clf.vectorizer_.transform(TEXTS))
    assert len(clf.explain("iron", "iron")) > 0


def test_terms_are_those_of_the_vectorizer() -> None:
    clf = quick(vectorizer=TfidfVectorizer(ngram_range=(1, 2), stop_words=["pan"])).fit(TEXTS, TAGS)
    assert {term for term, _ in clf.explain("iron pan rust", "rust")} == {
        "iron", "rust", "iron rust",
    }  # fmt: skip
    clf = quick(vectorizer=HashingVectorizer(n_features=64)).fit(TEXTS, TAGS)
    assert all(isinstance(feature, int) for feature, _ in clf.explain("iron", "iron"))


@pytest.mark.parametrize(
    ("vectorizer", "message"),
    [
        ("char", "vectorizer is 'char'"),
        (TfidfVectorizer, "vectorizer is <class"),
        (str.lower, "gives a string; it must give a list"),
        (lambda text: [(word,) for word in text.split()], "terms that are no strings"),
        (CountVectorizer(token_pattern="x{9}"), "empty vocabulary"),
    ],
)
def test_wrong_vectorizers(vectorizer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick(vectorizer=vectorizer).fit(TEXTS, TAGS)


class Shrinking:
    """A vectorizer with a fault: one row too few, then one column too few."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def fit_transform(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts) - self.rows, 3))

    def transform(self, texts: list[str]) -> np.ndarray:
        return np.ones((len(texts), 2))


def test_a_vectorizer_that_changes_its_mind() -> None:
    with pytest.raises(InputError, match="one row of finite numbers per text"):
        quick(vectorizer=Shrinking(1)).fit(TEXTS, TAGS)
    clf = quick(vectorizer=Shrinking(0)).fit(TEXTS, TAGS)
    with pytest.raises(InputError, match="gives 2 features, but the model takes 3"):
        clf.predict(["text"])


# features


@pytest.mark.parametrize(
    "form",
    [
        sparse.csr_array,
        sparse.csc_matrix,
        sparse.coo_array,
        sparse.lil_matrix,
        sparse.dok_array,
        lambda X: X.toarray(),
        lambda X: X.toarray().tolist(),
        lambda X: X.astype(np.float64),
        lambda X: X.astype(np.int64),
        lambda X: X.astype(bool),
        lambda X: iter(X.toarray()),
        lambda X: torch.from_numpy(X.toarray()),
    ],
)
def test_features_in_any_matrix(form: Callable[[Any], Any]) -> None:
    expected = quick().fit(FEATURES, TAGS)
    clf = quick().fit(form(FEATURES), TAGS)
    assert shown(clf, form(FEATURES)) == shown(expected, FEATURES)


def test_zeros_and_repeated_entries_change_nothing() -> None:
    columns = FEATURES.indices
    halves = np.repeat(FEATURES.data / 2, 2)
    doubled = sparse.csr_matrix(
        (halves, np.repeat(columns, 2), FEATURES.indptr * 2), FEATURES.shape
    )
    filled = FEATURES.astype(float) + sparse.csr_matrix(np.ones(FEATURES.shape))
    filled.data -= 1
    assert filled.nnz > FEATURES.nnz
    before = doubled.copy()
    expected = quick().fit(FEATURES, TAGS)
    for X in (doubled, filled):
        clf = quick().fit(X, TAGS)
        assert shown(clf, X) == shown(expected, FEATURES)
        assert clf.explain(X[1], "iron") == expected.explain(FEATURES[1], "iron")
    assert doubled.nnz == before.nnz  # the user's matrix stays as it was


def test_a_table_has_names_for_its_features() -> None:
    table = pd.DataFrame(FEATURES.toarray(), columns=CountVectorizer().fit(TEXTS).vocabulary_)
    clf = quick().fit(table, TAGS)
    effects = clf.explain(table.iloc[:1], "iron")
    assert {name for name, _ in effects} == set(table.columns[FEATURES[0].indices])


def test_features_of_any_size_and_sign() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(-3, 1, (60, 4)), rng.normal(3, 1, (60, 4))])
    y = np.repeat(["low", "high"], 60)
    for factor in (1e-6, 1, 1e6):
        assert HolographicClassifier().fit(X * factor, y).score(X * factor, y) == 1


def test_rows_without_features() -> None:
    X = FEATURES.tolil()
    X[0] = 0
    clf = quick().fit(X.tocsr(), TAGS)
    assert len(clf.predict(sparse.csr_matrix(FEATURES[:1].shape), k=5)[0]) == 5
    assert clf.explain(sparse.csr_matrix(FEATURES[:1].shape), "iron") == []
    assert quick().fit(np.zeros((6, 3)), list("abcabc")).predict(np.zeros((1, 3))).shape == (1,)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.full((24, 3), np.nan), "NaN"),
        (sparse.csr_matrix(np.full((24, 3), np.nan)), "NaN"),
        (np.full((24, 3), np.inf), "infinity"),
        (np.full((24, 3), 1e300), "too large"),
        (np.zeros((24, 0)), "0 feature"),
        (np.zeros((0, 3)), "0 sample"),
        (np.zeros(24), "2D array"),
        (np.zeros((24, 2, 2)), "dim 3"),
        (pd.DataFrame({"a": ["x"] * 24}), "could not convert"),
        (np.zeros((23, 3)), "labels of 24 points, but X has 23 points"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered in cast")
def test_wrong_features(X: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        quick().fit(X, TAGS)


def test_another_number_of_features_than_the_models() -> None:
    clf = quick().fit(FEATURES, TAGS)
    for X in (np.zeros((1, 2)), sparse.csr_array((1, 99))):
        for ask in (clf.predict, lambda X: clf.explain(X, "iron"), lambda X: clf.evaluate(X, [[]])):
            with pytest.raises(
                ValueError, match="features, but HolographicClassifier is expecting"
            ):
                ask(X)
    with pytest.raises(ValueError, match="NaN"):
        clf.predict(np.full((1, FEATURES.shape[1]), np.nan))


# labels


@pytest.mark.parametrize(
    "form",
    [
        tuple,
        iter,
        pd.Series,
        lambda rows: np.array(rows, dtype=object),
        lambda rows: [set(row) for row in rows],
        lambda rows: [frozenset(row) for row in rows],
        lambda rows: [tuple(row) for row in rows],
        lambda rows: [np.array(row, dtype=str) for row in rows],
        lambda rows: [row + row for row in rows],
        lambda rows: ((tag for tag in row) for row in rows),
    ],
)
def test_tags_in_any_sequence(form: Callable[[Any], Any]) -> None:
    clf = quick().fit(TEXTS, form(TAGS))
    assert clf.classes_.tolist() == WORDS
    assert shown(clf) == shown(quick().fit(TEXTS, TAGS))
    assert clf.evaluate(TEXTS, form(TAGS)) == clf.evaluate(TEXTS, TAGS)
    again = quick().partial_fit(TEXTS, form(TAGS))
    assert shown(again) == shown(quick().partial_fit(TEXTS, TAGS))
    by_features = quick().fit(FEATURES, form(TAGS))
    assert shown(by_features, FEATURES) == shown(quick().fit(FEATURES, TAGS), FEATURES)


@pytest.mark.parametrize(
    "form",
    [
        np.asarray,
        lambda Y: Y.astype(bool),
        lambda Y: Y.astype(float),
        lambda Y: Y.tolist(),
        lambda Y: list(Y),
        lambda Y: pd.DataFrame(Y, columns=WORDS),
        sparse.csr_matrix,
        sparse.csc_array,
        sparse.coo_array,
        lambda Y: sparse.csr_array(Y.astype(bool)),
        torch.from_numpy,
    ],
)
def test_indicators_in_any_matrix(form: Callable[[Any], Any]) -> None:
    y = form(INDICATOR)
    for X in (TEXTS, FEATURES):
        clf = quick().fit(X, y)
        assert clf.classes_.tolist() == [0, 1, 2, 3, 4]
        answers = clf.predict(X)
        assert sparse.issparse(answers) == sparse.issparse(y)
        assert answers.shape == INDICATOR.shape
        named = quick().fit(X, TAGS)  # the same labels, by name
        assert [[WORDS[i] for i, _ in row] for row in shown(clf, X)] == [
            [label for label, _ in row] for row in shown(named, X)
        ]
        assert clf.evaluate(X, y) == named.evaluate(X, TAGS)


def test_a_users_matrix_stays_as_it_is() -> None:
    y = sparse.csr_matrix(INDICATOR)
    y.data[:2] = 0
    nonzeros = y.nnz
    quick().fit(TEXTS, y)
    assert y.nnz == nonzeros


@pytest.mark.parametrize(
    "form",
    [
        list,
        tuple,
        iter,
        np.array,
        pd.Series,
        lambda rows: pd.Series(rows, dtype="category"),
        lambda rows: np.array(rows, dtype=object),
        lambda rows: np.array(rows)[:, None],
    ],
)
def test_one_label_per_point(form: Callable[[Any], Any]) -> None:
    clf = quick().fit(TEXTS, form(ONE))
    assert clf.classes_.tolist() == ["bread", "iron", "knife"]
    assert clf.predict(TEXTS).shape == (24,)
    assert clf.score(TEXTS, form(ONE)) == clf.score(TEXTS, ONE)


@pytest.mark.parametrize(
    "values", [[3, 1, 2], [3.0, 1.0, 2.0], [True, False, True], np.array([3, 1, 2], np.uint8)]
)
def test_numbers_as_labels(values: Any) -> None:
    clf = quick().fit(TEXTS, [values[i % 3] for i in range(24)])
    assert clf.classes_.tolist() == sorted(set(np.asarray(values).tolist()))
    assert clf.predict(TEXTS).dtype.kind == np.asarray(values[0]).dtype.kind.replace("u", "i")
    lists = quick().fit(TEXTS, [[values[i % 3]] for i in range(24)])
    assert lists.classes_.tolist() == clf.classes_.tolist()
    assert lists.predict(TEXTS, k=1, among=[values[0]])[0][0][0] == values[0]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "y"),
        ("a" * 24, "y is one str"),
        ({"a"}, "y is one set"),
        (5, "y must have a list of tags"),
        (np.zeros((24, 2, 2)), "y must have a list of tags"),
        ([[]] * 24, "no point has a label"),
        (sparse.csr_matrix((24, 0)), "no point has a label"),
        (TAGS[:-1], "y has labels of 23 points, but X has 24 points"),
        ([*TAGS[:-1], "iron"], r"y\[23\] is 'iron'; give a list of tags"),
        ([*TAGS[:-1], None], r"y\[23\] is None"),
        ([*ONE[:-1], ["knife"]], "no string or number"),
        ([*ONE[:-1], None], "label None is a NoneType"),
        ([*ONE[:-1], float("nan")], "Unknown label type: nan"),
        ([*ONE[:-1], 7], "some labels are strings and some are numbers"),
        ([["a"], [7]] * 12, "some labels are strings and some are numbers"),
        ([b"a", b"b"] * 12, "label b'.' is a bytes"),
        ([[("a", "b")], [("c", "d")]] * 12, r"label \('.', '.'\) is a tuple"),
        ([[["a"]], [["b"]]] * 12, "no string or number"),
        ([0.5, 1.5] * 12, "Unknown label type"),
        (np.full((24, 2), 3), "y has the value 3; an indicator matrix has 0 and 1"),
        (sparse.csr_matrix(np.full((24, 2), 0.5)), "y has the value 0.5"),
        (np.full((24, 2), np.nan), "y has the value nan"),
        (np.array(["2026-01-01"] * 24, dtype="datetime64[D]"), "is a date"),
        (pd.Series(["a", pd.NA] * 12, dtype="string"), "label <NA> is a NAType"),
        ([Colour.RED, Colour.BLUE] * 12, "is a Colour; labels are strings or whole numbers"),
        (sparse.coo_array(np.ones(24)), "y must have a list of tags"),
    ],
)
def test_wrong_labels(y: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        quick().fit(TEXTS, y)
    if y is not None:
        with pytest.raises(ValueError):  # noqa: PT011 - some are scikit-learn's own
            quick().fit(FEATURES, y)


def test_only_one_label_is_always_the_answer() -> None:
    for y in (["same"] * 24, [["same"]] * 24):
        clf = HolographicClassifier().fit(TEXTS, y)
        ((label, probability),) = clf.predict(["unheard of"], k=5)[0]
        assert (label, round(probability)) == ("same", 1)
        assert clf.neighbours("same") == []
        assert clf.evaluate(TEXTS, y)["P@1"] == 100


def test_a_label_without_examples_is_never_first() -> None:
    Y = np.hstack([INDICATOR, np.zeros((24, 1), int)])
    clf = HolographicClassifier().fit(TEXTS, Y)
    assert all(row[0][0] != 5 for row in clf.predict(TEXTS, k=1))
    assert all(0 < dict(row)[5] < 0.5 for row in clf.predict(TEXTS, k=6))
    named = quick().partial_fit(TEXTS, Y, classes=[*WORDS[::-1], "never"])
    assert named.classes_.tolist() == [*WORDS[::-1], "never"]  # in the order of the columns
    for X in (TEXTS, FEATURES):
        unlabelled = quick().partial_fit(X, [[]] * 24, classes=["a", "b"])
        assert unlabelled.classes_.tolist() == ["a", "b"]
    with pytest.raises(InputError, match="3 classes, but y has 6 columns"):
        quick().partial_fit(TEXTS, Y, classes=["a", "b", "c"])


def test_few_labelled_points_among_many() -> None:
    """Few of the held-out points have a label, so they cannot decide anything."""
    texts, tags = TEXTS * 10, [["iron"], ["bread"], *[[]] * 238]
    clf = quick().fit(texts, tags)
    assert clf.validation_ == {}
    assert len(clf.predict(texts[:1], k=2)[0]) == 2


def test_labels_that_are_not_the_models() -> None:
    clf = quick().fit(TEXTS, TAGS)
    with pytest.raises(InputError, match=r"y: there is no label 'irno' \(similar: iron\); add_lab"):
        clf.partial_fit(["text"], [["irno"]])
    with pytest.raises(InputError, match="strings and some are numbers"):
        clf.evaluate(["text"], [[7]])
    with pytest.raises(InputError, match="y has 2 columns for 5 labels"):
        clf.evaluate(TEXTS, INDICATOR[:, :2])
    for wrong, message in {
        "abc": "give a list of labels",
        ("iron",): "label 'iron' exists already",
        ("new", "new"): "occurs twice",
        (7,): "strings and some are numbers",
        (None,): "label None",
    }.items():
        with pytest.raises(InputError, match=message):
            clf.add_labels(wrong)
    assert clf.classes_.tolist() == WORDS


# questions


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 0}, "k is 0"),
        ({"k": -1}, "k is -1"),
        ({"k": 2.5}, "k is 2.5"),
        ({"k": "5"}, "k is '5'"),
        ({"k": True}, "k is True"),
        ({"threshold": -0.1}, "threshold is -0.1"),
        ({"threshold": 1.1}, "threshold is 1.1"),
        ({"threshold": float("nan")}, "threshold is nan"),
        ({"threshold": "0.5"}, "threshold is '0.5'"),
        ({"among": []}, "among: give at least one"),
        ({"among": "iron"}, "among is 'iron'; give a list"),
        ({"among": 5}, "among is 5; give a list"),
        ({"among": ["iron", "Bread"]}, r"there is no label 'Bread' \(similar: bread\)"),
        ({"among": [["iron"]]}, r"there is no label \['iron'\]"),
        ({"among": [0]}, "there is no label 0"),
    ],
)
def test_wrong_questions(options: dict[str, Any], message: str) -> None:
    clf = quick().fit(TEXTS, TAGS)
    with pytest.raises(InputError, match=message):
        clf.predict(TEXTS, **options)


def test_wrong_questions_about_labels() -> None:
    clf = quick().fit(TEXTS, TAGS)
    for ask, message in [
        (lambda: clf.explain("iron", "irn"), r"no label 'irn' \(similar: iron\)"),
        (lambda: clf.explain("iron", "iron", n=0), "n is 0"),
        (lambda: clf.explain(["iron", "bread"], "iron"), "takes one point, not 2"),
        (lambda: clf.explain([], "iron"), "takes one point, not 0"),
        (lambda: clf.neighbours("irn"), "no label 'irn'"),
        (lambda: clf.neighbours("iron", n=-1), "n is -1"),
        (lambda: clf.evaluate([], []), "no points to measure on"),
        (lambda: clf.score([], []), "no points to measure on"),
        (lambda: clf.evaluate(TEXTS, TAGS[:3]), "labels of 3 points, but X has 24"),
    ]:
        with pytest.raises(InputError, match=message):
            ask()
    with pytest.raises(UserError, match="no test point has a label"):
        clf.evaluate(["iron"], [[]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dim": 1}, "dim is 1"),
        ({"dim": 2.0}, "dim is 2.0"),
        ({"dim": True}, "dim is True"),
        ({"hidden": -1}, "hidden is -1"),
        ({"epochs": 0}, "epochs is 0"),
        ({"epochs": "3"}, "epochs is '3'"),
        ({"validation": 1}, "validation is 1"),
        ({"validation": -0.1}, "validation is -0.1"),
        ({"validation": "0.1"}, "validation is '0.1'"),
        ({"n_jobs": 0}, "n_jobs is 0"),
        ({"n_jobs": 1.5}, "n_jobs is 1.5"),
        ({"random_state": "seed"}, "'seed' cannot be used to seed"),
    ],
)
def test_wrong_parameters(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        HolographicClassifier(**options).fit(TEXTS, TAGS)


def test_numpys_numbers_are_numbers() -> None:
    options = {"dim": np.int64(8), "hidden": np.int32(4), "epochs": np.uint8(2)}
    clf = HolographicClassifier(**options, validation=np.float32(0.1)).fit(TEXTS, TAGS)
    assert shown(clf) == shown(HolographicClassifier(8, hidden=4, epochs=2).fit(TEXTS, TAGS))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0] * 23, r"the shape \(23,\) for 24 points"),
        ([-1.0] * 24, "finite numbers from 0 up"),
        ([float("nan")] * 24, "finite numbers from 0 up"),
        ([0.0] * 24, "all weights are zero"),
    ],
)
def test_wrong_weights(weights: list[float], message: str) -> None:
    clf = quick().fit(TEXTS, TAGS)
    for learn in (quick().fit, quick().partial_fit, clf.partial_fit, clf.score):
        with pytest.raises(InputError, match=message):
            learn(TEXTS, TAGS, sample_weight=weights)


# nothing is lost


def test_a_failure_leaves_the_classifier_as_it_was() -> None:
    clf = quick().fit(FEATURES, TAGS)
    before, known = shown(clf, FEATURES), dict(clf.__dict__)
    for learn in (clf.fit, clf.partial_fit):
        with pytest.raises(ValueError, match="labels of 1 points"):
            learn(np.ones((5, 2)) if learn == clf.fit else FEATURES, [["a"]])
    assert clf.__dict__ == known
    assert shown(clf, FEATURES) == before
    fresh = quick()
    with pytest.raises(ValueError, match="all weights are zero"):
        fresh.partial_fit(FEATURES, TAGS, sample_weight=[0] * 24)
    assert not hasattr(fresh, "fitted_")


def test_an_interrupted_fit_leaves_the_last_model(monkeypatch: pytest.MonkeyPatch) -> None:
    clf = quick().fit(FEATURES, TAGS)
    before = shown(clf, FEATURES)

    def interrupt(*arguments: Any, **options: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hrrxml.estimator.selection.fit", interrupt)
    with pytest.raises(KeyboardInterrupt):
        clf.fit(FEATURES[:, :2], TAGS)
    assert shown(clf, FEATURES) == before
