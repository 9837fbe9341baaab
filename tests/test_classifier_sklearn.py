"""scikit-learn's own tools work with HolographicClassifier."""

import copy
import pickle
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest
from helpers.command import questions
from scipy.sparse import csr_matrix
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_digits
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MultiLabelBinarizer
from sklearn.utils.estimator_checks import parametrize_with_checks

from hrrxml import HolographicClassifier

TEXTS = [text for text, _ in questions()]
TAGS = [tags for _, tags in questions()]

BATCHES = "training visits points in random batches: a weight of 2 is not a point twice"
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": BATCHES,
    "check_sample_weight_equivalence_on_sparse_data": BATCHES,
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [HolographicClassifier()], expected_failed_checks=lambda estimator: EXPECTED_FAILURES
)
def test_scikit_learns_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def test_parameters_are_read_set_and_cloned() -> None:
    vectorizer = TfidfVectorizer(min_df=2)
    clf = HolographicClassifier(16, hidden=4, vectorizer=vectorizer, random_state=7)
    assert clf.get_params(deep=False) == {
        "dim": 16,
        "hidden": 4,
        "epochs": None,
        "validation": None,
        "vectorizer": vectorizer,
        "random_state": 7,
        "n_jobs": None,
        "verbose": None,
    }
    assert clf.get_params()["vectorizer__min_df"] == 2
    other = clone(clf.fit(TEXTS, TAGS)).set_params(dim=8, vectorizer__min_df=3)
    assert (other.dim, other.vectorizer.min_df, vectorizer.min_df) == (8, 3, 2)
    assert not hasattr(other, "fitted_")
    assert is_classifier(clf)
    assert repr(HolographicClassifier(16)) == "HolographicClassifier(dim=16)"


def test_an_unfitted_classifier_says_so() -> None:
    clf = HolographicClassifier()
    for ask in (
        lambda: clf.predict(TEXTS),
        lambda: clf.evaluate(TEXTS, TAGS),
        lambda: clf.score(TEXTS, TAGS),
        lambda: clf.explain("text", "bread"),
        lambda: clf.neighbours("bread"),
        lambda: clf.add_labels(["new"]),
        lambda: clf.save("model"),
        lambda: clf.describe(),
    ):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            ask()
    assert not hasattr(clf, "classes_")


def test_a_pipeline_passes_questions_on() -> None:
    pipeline = make_pipeline(TfidfVectorizer(sublinear_tf=True), HolographicClassifier())
    pipeline.fit(TEXTS, TAGS)
    direct = HolographicClassifier().fit(TEXTS, TAGS)  # its own words are the same tf-idf
    best = [[label for label, _ in row] for row in pipeline.predict(TEXTS, k=2)]
    assert best == [[label for label, _ in row] for row in direct.predict(TEXTS, k=2)]
    assert pipeline.score(TEXTS, TAGS) == 1
    weighted = pipeline.fit(TEXTS, TAGS, holographicclassifier__sample_weight=[1.0] * len(TEXTS))
    assert weighted.score(TEXTS, TAGS) == 1


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_grid_search_over_dim(jobs: int | None) -> None:
    """With d' = 2 the labels of a base cannot be told apart; with d' = 8 they can."""
    grid = {"dim": np.array([2, 8]), "epochs": [10]}
    search = GridSearchCV(
        HolographicClassifier(), grid, cv=KFold(3, shuffle=True, random_state=0), n_jobs=jobs
    )
    search.fit(TEXTS, TAGS)
    assert search.best_params_["dim"] == 8
    assert search.best_score_ > 0.9
    assert search.best_estimator_.predict(["sharpen the blade"], k=1)[0][0][0] == "knives"


def test_a_grid_search_over_words() -> None:
    """A parameter of the vectorizer, with a number of folds and an indicator matrix."""
    Y = MultiLabelBinarizer().fit_transform(TAGS)
    grid = {"vectorizer__ngram_range": [(1, 1), (1, 2)]}
    clf = HolographicClassifier(vectorizer=TfidfVectorizer(), epochs=10)
    search = GridSearchCV(clf, grid, cv=3).fit(np.array(TEXTS), csr_matrix(Y))
    assert (search.cv_results_["mean_test_score"] > 0.5).all()
    words, pairs = (
        clone(clf).set_params(vectorizer__ngram_range=ngrams).fit(TEXTS, TAGS).n_features_in_
        for ngrams in grid["vectorizer__ngram_range"]
    )
    assert search.best_estimator_.n_features_in_ in (words, pairs)
    assert words < pairs


def test_cross_validation() -> None:
    X, y = load_digits(n_class=5, return_X_y=True)
    clf = HolographicClassifier(epochs=5)
    assert cross_val_score(clf, X, y, cv=3).min() > 0.9
    assert (cross_val_predict(clf, X, y, cv=3) == y).mean() > 0.9
    Y = np.eye(5, dtype=int)[y]
    assert (cross_val_predict(clf, X, csr_matrix(Y), cv=3) == Y).mean() > 0.9


def test_a_fold_may_lack_a_label() -> None:
    texts, tags = [*TEXTS, "a lonely text"], [*TAGS, ["lonely"]]
    scores = cross_val_score(HolographicClassifier(epochs=1), texts, tags, cv=KFold(3))
    assert np.isfinite(scores).all()


@pytest.mark.parametrize("copied", [pickle, joblib, copy])
def test_copies_answer_alike_and_learn_on(copied: Any, tmp_path: Any) -> None:
    clf = HolographicClassifier(epochs=2).fit(TEXTS, TAGS)
    clf.partial_fit(TEXTS, TAGS)  # now it holds an optimiser
    if copied is copy:
        other = copy.deepcopy(clf)
    elif copied is pickle:
        other = pickle.loads(pickle.dumps(clf))
    else:
        joblib.dump(clf, tmp_path / "clf")
        other = joblib.load(tmp_path / "clf")
    assert other.predict(TEXTS, k=3) == clf.predict(TEXTS, k=3)
    before = clf.predict(TEXTS, k=3)
    other.partial_fit(TEXTS, TAGS).add_labels(["new"])
    assert clf.predict(TEXTS, k=3) == before


def test_tables_with_other_columns_are_refused() -> None:
    X = pd.DataFrame({"length": [1.0, 2, 3] * 5, "width": [3.0, 2, 1] * 5})
    clf = HolographicClassifier(epochs=1).fit(X, list("abc") * 5)
    assert clf.feature_names_in_.tolist() == ["length", "width"]
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(X.rename(columns={"width": "height"}))
