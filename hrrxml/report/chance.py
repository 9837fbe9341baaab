"""How far apart two trainings of the same model may lie by chance.

Another seed, or a machine that rounds differently, moves a metric. One seed cannot show by how
much, so the number n of test points bounds it. A metric is a mean over n points of values from 0 to
1. If each point changes by itself from one training to the next, a mean of p deviates by at most
√(p(1 − p)/n), the binomial error. If several seeds deviate by more, their own deviation counts.

tests/test_chance.py compares this with the recorded seeds of the default suite. Models that train
badly, such as `*-unprojected-exact`, deviate by more, and one seed cannot tell.
"""

from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist, mean, variance

Values = Sequence[float]  # a metric in percent, one value per seed


def limit(ours: Values, theirs: Values, points: int, level: float) -> float:
    """The difference of two means that chance exceeds with probability `level`.

    `points` is the number of test points.
    """
    quantile = NormalDist().inv_cdf(1 - level / 2)
    deviation = max(_binomial([*ours, *theirs], points), _between_seeds(ours, theirs))
    return quantile * deviation * sqrt(1 / len(ours) + 1 / len(theirs))


def _binomial(values: Values, points: int) -> float:
    share = mean(values) / 100
    return 100 * sqrt(share * (1 - share) / points)


def _between_seeds(ours: Values, theirs: Values) -> float:
    """The pooled standard deviation of both sets of seeds; 0 if both have one seed."""
    several = [values for values in (ours, theirs) if len(values) > 1]
    freedom = sum(len(values) - 1 for values in several)
    squares = sum(variance(values) * (len(values) - 1) for values in several)
    return sqrt(squares / freedom) if freedom else 0.0
