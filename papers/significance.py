"""How far one model's metric lies above another's, and what chance leaves of it.

A difference varies with the seeds and with the test points. Both count: a gap that five seeds show
on 2,515 points may be gone on other points. If it is known which predictions are correct, seed by
seed and point by point, the error of a mean gap is that of a crossed random-effects model,

    error² = s²/S + p²/N − r²/(S·N)

with the variance s² of the S seeds' gaps, p² of the N points' gaps, and r² of what neither
explains. It estimates what a bootstrap over seeds and points together does, without its fault: with
five seeds, a bootstrap of seeds is too sure by a tenth. The quantile is Student's, with
Satterthwaite's degrees of freedom.

Where the points are not recorded, only the seeds count, and the difference says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import mean, stdev, variance

import numpy as np
from scipy.stats import t as student

SAME = 1.0  # point: models that are closer than this count as the same
LEVEL = 0.05  # of a test, or of all tests of a table together
TINY = 1e-9  # values that vary by less do not vary

Interval = tuple[float, float]


@dataclass(frozen=True)
class Difference:
    gap: float
    error: float | None  # standard error of the gap; None: too few values to tell
    freedom: float  # degrees of freedom of the error
    seeds: int
    spread: float | None = None  # standard deviation of the gaps over seeds; None for one seed
    points: int | None = None  # number of test points; None: not recorded, so the seeds alone count
    tests: int = 1  # of the table or claim that it belongs to

    def among(self, tests: int) -> "Difference":
        """As one of several tests: each has its share of the level (Bonferroni)."""
        return replace(self, tests=max(1, tests))

    def within(self, level: float) -> Interval:
        """Contains the true difference with probability 1 − level."""
        if self.error is None:
            return -inf, inf
        reach = 0.0 if self.error == 0 else self.error * student.ppf(1 - level / 2, self.freedom)
        return self.gap - reach, self.gap + reach

    @property
    def interval(self) -> Interval:
        return self.within(LEVEL / self.tests)

    @property
    def narrow(self) -> Interval:
        """For two one-sided tests."""
        return self.within(2 * LEVEL / self.tests)

    @property
    def shows(self) -> bool:
        """True if a two-sided test shows a difference."""
        return not self.interval[0] <= 0 <= self.interval[1]

    @property
    def better(self) -> bool:
        return self.interval[0] > 0

    @property
    def worse(self) -> bool:
        return self.interval[1] < 0

    def equivalent(self, margin: float = SAME) -> bool | None:
        """Two one-sided tests: True inside ±margin, False outside, None if not clear."""
        low, high = self.narrow
        if -margin < low and high < margin:
            return True
        return False if low >= margin or high <= -margin else None

    def at_least(self, least: float) -> bool | None:
        """One-sided tests: True if at least `least`, False if less, None if not clear."""
        low, high = self.narrow
        return True if low >= least else False if high < least else None

    @property
    def short(self) -> str:
        """For a table: a star marks a difference that a test shows, ° that only seeds count."""
        alone = "°" if self.points is None and self.error is not None else ""
        return f"{self.gap:+.2f}" + ("*" if self.shows else "") + alone


def crossed(gaps: np.ndarray) -> Difference:
    """The difference of two models from each seed's and each test point's gap: (seeds, points)."""
    seeds, points = gaps.shape
    by_seed, by_point = gaps.mean(1), gaps.mean(0)
    if seeds < 2 or points < 2:
        return Difference(float(gaps.mean()), None, inf, seeds, None, points)
    s2, p2 = by_seed.var(ddof=1), by_point.var(ddof=1)
    rest = gaps - by_seed[:, None] - by_point + gaps.mean()
    r2 = np.square(rest).sum() / ((seeds - 1) * (points - 1))
    parts = s2 / seeds, p2 / points
    squared = max(*parts, sum(parts) - r2 / (seeds * points))
    shares = parts[0] ** 2 / (seeds - 1) + parts[1] ** 2 / (points - 1)
    freedom = squared**2 / shares if shares else inf
    return Difference(
        float(gaps.mean()), sqrt(squared), float(freedom), seeds, float(sqrt(s2)), points
    )


def over_points(gaps: np.ndarray) -> Interval:
    """Where the mean of one seed's gaps would lie on other test points, with probability 1 − LEVEL.

    It leaves out what another seed would change. So it decides nothing, and is no `Difference`.
    """
    reach = gaps.std(ddof=1) / sqrt(len(gaps)) * student.ppf(1 - LEVEL / 2, len(gaps) - 1)
    return float(gaps.mean() - reach), float(gaps.mean() + reach)


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare seed by seed, over the first seeds that both have (both start at the same seed)."""
    gaps = [a - b for a, b in zip(ours, theirs, strict=False)]
    if len(gaps) < 2:
        return Difference(mean(gaps), None, inf, len(gaps))
    return _of(gaps, mean(gaps), variance(gaps) / len(gaps), len(gaps) - 1)


def unpaired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare two independent sets of seeds (Welch's test). A single value counts as exact."""
    if len(ours) == 1 and len(theirs) > 1:
        gaps = [ours[0] - value for value in theirs]
    else:
        gaps = [value - mean(theirs) for value in ours]
    if len(gaps) < 2:
        return Difference(mean(gaps), None, inf, len(gaps))
    sets = [(variance(v) / len(v), len(v) - 1) for v in (ours, theirs) if len(v) > 1]
    squared = sum(part for part, _ in sets)
    shares = sum(part**2 / freedom for part, freedom in sets)
    return _of(gaps, mean(gaps), squared, squared**2 / shares if shares else inf)


def _of(gaps: list[float], gap: float, squared: float, freedom: float) -> Difference:
    """Gaps that do not vary: three or more are taken as exact, fewer show nothing."""
    spread = stdev(gaps)
    if spread <= TINY and squared <= TINY**2:
        return Difference(gap, 0.0 if len(gaps) > 2 else None, inf, len(gaps), spread)
    return Difference(gap, sqrt(squared), freedom, len(gaps), spread)
