"""Probabilities that mean what they say: a logistic curve from scores, and its error."""

from dataclasses import dataclass

import numpy as np

BINS = 15  # of equal width, as usual for this error


@dataclass(frozen=True)
class Calibration:
    """P(correct) = sigmoid(slope · score + offset). The order of the labels stays as it is."""

    slope: float = 1.0
    offset: float = 0.0

    def __call__(self, scores: np.ndarray) -> np.ndarray:
        """Probabilities; a score of −∞ has probability 0."""
        with np.errstate(over="ignore"):
            return 1 / (1 + np.exp(-(self.slope * scores + self.offset)))

    def score_at(self, probability: float) -> float:
        """The least score whose probability is at least this."""
        if probability <= 0:
            return -np.inf
        if probability >= 1:
            return np.inf
        return float((np.log(probability / (1 - probability)) - self.offset) / self.slope)


def fit(scores: np.ndarray, correct: np.ndarray) -> Calibration:
    """The curve that fits predictions of held-out points; none, if all are right or all wrong."""
    from sklearn.linear_model import LogisticRegression

    scores, correct = scores.ravel(), correct.ravel().astype(bool)
    finite = np.isfinite(scores)
    scores, correct = scores[finite], correct[finite]
    if correct.all() or not correct.any():
        return Calibration()
    curve = LogisticRegression(C=1e6).fit(scores[:, None], correct)
    slope = float(curve.coef_[0, 0])
    # A negative slope would turn the ranking round: too few points to learn a curve from.
    return Calibration(slope, float(curve.intercept_[0])) if slope > 0 else Calibration()


def expected_calibration_error(probabilities: np.ndarray, correct: np.ndarray) -> float:
    """Mean |share of correct predictions − mean probability| over bins, in percent."""
    probabilities, correct = probabilities.ravel(), correct.ravel().astype(float)
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    gaps = np.abs(
        np.bincount(bins, correct, BINS) - np.bincount(bins, probabilities, BINS)
    )  # times the number of predictions in the bin
    return float(100 * gaps.sum() / len(correct))
