"""Probabilities from scores: scikit-learn's curve, and the error of the probabilities."""

from typing import Any

import numpy as np
import pytest
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV, calibration_curve
from sklearn.datasets import make_multilabel_classification
from sklearn.frozen import FrozenEstimator

from hrrxml import HolographicClassifier
from hrrxml.estimator.calibration import BINS, Calibration, expected_calibration_error, fit


class Scores(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are its inputs."""

    def fit(self, X: Any, y: Any) -> "Scores":
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> np.ndarray:
        return np.asarray(X)[:, 0] > 0

    def decision_function(self, X: Any) -> np.ndarray:
        return np.asarray(X)[:, 0]


def sample(slope: float, margin: float, offset: float) -> tuple[np.ndarray, np.ndarray]:
    """Scores, and whether they were right, which they are by a known curve."""
    rng = np.random.default_rng(0)
    scores = -np.sort(-rng.normal(-1, 3, (4000, 5)).astype(np.float32))
    logits = slope * scores + margin * (scores - scores[:, :1]) + offset
    return scores, rng.random(scores.shape) < expit(logits)


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.3, -2.0), (4.0, 1.0)])
def test_the_curve_of_one_score_per_point_is_scikit_learns(slope: float, offset: float) -> None:
    scores, right = (values.reshape(-1, 1) for values in sample(slope, 0, offset))
    curve = fit(scores, right)
    frozen = FrozenEstimator(Scores().fit(scores, right.ravel()))
    oracle = CalibratedClassifierCV(frozen, method="sigmoid").fit(scores, right.ravel())
    expected = oracle.predict_proba(scores)[:, [1]]
    np.testing.assert_allclose(curve(scores, scores), expected, atol=1e-3)


def test_the_distance_to_the_best_score_counts() -> None:
    scores, right = sample(0.8, 0.4, -1.0)
    curve = fit(scores, right)
    found = (curve.slope, curve.margin, curve.offset)
    np.testing.assert_allclose(found, (0.8, 0.4, -1.0), atol=0.1)
    assert (np.diff(curve(scores, scores[:, :1])) <= 0).all()


def test_few_and_separable_points_leave_doubt() -> None:
    scores = np.array([[4.0, -4.0], [5.0, -5.0], [6.0, -3.0]])
    chances = fit(scores, scores > 0)(scores, scores[:, :1])
    assert (chances[:, 0] > 0.6).all()
    assert (chances[:, 0] < 0.95).all()
    assert (chances[:, 1] < 0.4).all()
    assert (chances[:, 1] > 0.05).all()


@pytest.mark.parametrize(
    ("scores", "right"),
    [
        ([[2.0, 1.0]], [[True, True]]),
        ([[2.0, 1.0]], [[False, False]]),
        ([[3.0, 2.0, 1.0]], [[False, True, True]]),  # the curve would fall
    ],
)
def test_where_no_rising_curve_fits_there_is_none(scores: Any, right: Any) -> None:
    assert fit(np.array(scores), np.array(right)) is None


def test_missing_predictions_do_not_count() -> None:
    scores, right = sample(1.0, 0.2, 0.0)
    padded = np.hstack([scores, np.full((len(scores), 2), -np.inf, dtype=np.float32)])
    wrong = np.hstack([right, np.zeros((len(right), 2), dtype=bool)])
    assert fit(padded, wrong) == fit(scores, right)


def test_any_score_has_a_probability() -> None:
    scores = np.array([[1e30, 1e4, 0, -1e4, -1e30, -np.inf]], dtype=np.float32)
    expected = [[1, 1, 0.5, 0, 0, 0]]
    np.testing.assert_array_equal(Calibration(2.0, 0.0, 0.0)(scores, scores[:, :1]), expected)


def test_the_error_is_that_of_scikit_learns_curve() -> None:
    rng = np.random.default_rng(1)
    for n in (3, 50, 5000):
        probabilities = rng.random((n, 5))
        right = rng.random((n, 5)) < probabilities**2
        true, predicted = calibration_curve(right.ravel(), probabilities.ravel(), n_bins=BINS)
        counts = np.histogram(probabilities, BINS, (0, 1))[0]
        expected = np.average(np.abs(true - predicted), weights=counts[counts > 0])
        error = expected_calibration_error(probabilities, right)
        assert error == pytest.approx(100 * expected)
    assert expected_calibration_error(np.array([0.0, 1.0]), np.array([False, True])) == 0
    assert expected_calibration_error(np.array([0.0, 1.0]), np.array([True, False])) == 100


def noisy(n: int, part: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """n points with 20 labels that no classifier can be sure of."""
    X, Y = make_multilabel_classification(
        9000, 60, n_classes=20, n_labels=3, length=20, random_state=0
    )
    return X[3000 * part :][:n], Y[3000 * part :][:n]


def test_calibrated_probabilities_come_true_on_new_points() -> None:
    clf = HolographicClassifier().fit(*noisy(3000))
    for measured in (clf.validation_, clf.evaluate(*noisy(3000, 1))):
        for k in (1, 5):
            assert measured[f"ECE@{k}"] < 0.7 * measured[f"ECE@{k} before calibration"]
    X, Y = noisy(3000, 2)
    pairs = [(p, Y[i, label]) for i, row in enumerate(clf.predict(X, k=5)) for label, p in row]
    probability, right = map(np.array, zip(*pairs, strict=True))
    for low in (0.1, 0.3, 0.5):
        chosen = (probability >= low) & (probability < low + 0.2)
        assert chosen.sum() > 300
        assert abs(probability[chosen].mean() - right[chosen].mean()) < 0.08


def test_fewer_labels_than_five_do_not_dilute_the_error() -> None:
    X, Y = noisy(600)
    clf = HolographicClassifier(epochs=2).fit(X, Y[:, :2])
    new_X, new_Y = noisy(600, 1)
    measured = clf.evaluate(new_X, new_Y[:, :2])
    answers = clf.predict(new_X, k=2)
    probabilities = np.array([[p for _, p in row] for row in answers])
    right = np.array([[new_Y[i, label] for label, _ in row] for i, row in enumerate(answers)])
    expected = expected_calibration_error(probabilities, right)
    assert measured["ECE@5"] == pytest.approx(expected, abs=0.006)


def test_without_a_curve_scores_are_logits() -> None:
    """Labels that nothing predicts: no curve rises, and a tail would make false logits."""
    generator = np.random.default_rng(0)
    X, Y = generator.normal(size=(400, 8)).astype(np.float32), np.zeros((400, 30), int)
    Y[np.arange(400), generator.integers(0, 30, 400)] = 1
    clf = HolographicClassifier(epochs=1).fit(X, Y)
    if clf.fitted_.calibration == Calibration():
        assert clf.fitted_.tail == 0
    assert max(p for row in clf.predict(X[:50], k=1) for _, p in row) < 0.5


def test_a_curve_of_the_score_alone_serves_where_the_margin_misleads() -> None:
    scores = np.array([[4.0, 0.0], [3.0, -1.0], [-1.0, -2.0], [-3.0, -4.0]] * 20)
    right = np.array([[True, False], [True, False], [False, False], [False, True]] * 20)
    curve = fit(scores, right)
    assert curve is not None
    chances = curve(scores, scores[:, :1])
    assert (np.diff(chances, axis=1) <= 0).all()
    assert fit(scores, np.zeros_like(right)) is None
    assert fit(scores, np.ones_like(right)) is None


def test_few_points_are_not_calibrated() -> None:
    X, Y = noisy(190)
    assert HolographicClassifier(epochs=1).fit(X, Y).fitted_.calibration == Calibration()
    assert HolographicClassifier(epochs=1, validation=0).fit(*noisy(900)).validation_ == {}
