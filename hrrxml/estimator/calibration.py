"""Probabilities that mean what they say: a logistic curve from scores, and its error."""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

BINS = 15  # of equal width, as usual for this error


@dataclass(frozen=True)
class Calibration:
    """P(correct) = sigmoid(slope · score + margin · (score − best) + offset).

    `best` is the best score of the point. Of two labels with the same score, the one that is its
    point's best is right more often. The order of a point's labels stays as it is.
    """

    slope: float = 1.0
    margin: float = 0.0
    offset: float = 0.0

    def __call__(self, scores: np.ndarray, best: np.ndarray) -> np.ndarray:
        """Probabilities from scores (points, k) and best (points, 1); a score of −∞ has 0."""
        own = (self.slope + self.margin) * scores.astype(np.float64)
        return expit(own - self.margin * best.astype(np.float64) + self.offset)


def fit(scores: np.ndarray, right: np.ndarray) -> Calibration | None:
    """The curve that fits predictions of held-out points, best first: (points, k) each.

    As in Platt (1999), the targets are not 1 and 0 but (n₊ + 1) / (n₊ + 2) and 1 / (n₋ + 2). So
    the curve stays finite where all high scores are right and all low ones wrong. It is
    None where no rising curve fits, as if all are right or all are wrong.
    """
    shown = np.isfinite(scores)
    inputs = np.stack([scores, scores - scores[:, :1]], axis=2)[shown].astype(np.float64)
    right = right[shown].astype(bool)
    if right.all() or not right.any():
        return None
    slope, margin, offset = _logistic(inputs, right)
    if slope >= 0 and slope + margin > 0:
        return Calibration(slope, margin, offset)
    slope, offset = _logistic(inputs[:, :1], right)  # of the score alone
    return Calibration(slope, 0.0, offset) if slope > 0 else None


def _logistic(inputs: np.ndarray, right: np.ndarray) -> list[float]:
    """Coefficients and offset of the logistic curve with Platt's targets."""
    from sklearn.linear_model import LogisticRegression

    n_right = int(right.sum())
    target = np.where(right, (n_right + 1) / (n_right + 2), 1 / (len(right) - n_right + 2))
    # Each prediction counts twice: as right by its target, as wrong by the rest.
    curve = LogisticRegression(C=np.inf, max_iter=1000).fit(
        np.tile(inputs, (2, 1)),
        np.repeat([True, False], len(right)),
        sample_weight=np.concatenate([target, 1 - target]),
    )
    return [*curve.coef_[0].tolist(), float(curve.intercept_[0])]


def expected_calibration_error(probabilities: np.ndarray, correct: np.ndarray) -> float:
    """Mean |share of correct predictions − mean probability| over bins, in percent."""
    probabilities, correct = probabilities.ravel(), correct.ravel().astype(float)
    bins = np.minimum((probabilities * BINS).astype(int), BINS - 1)
    gaps = np.abs(
        np.bincount(bins, correct, BINS) - np.bincount(bins, probabilities, BINS)
    )  # times the number of predictions in the bin
    return float(100 * gaps.sum() / len(correct))
