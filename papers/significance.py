"""How far one model's metric lies above another's, and what chance leaves of it.

A difference varies with the seeds and with the test points. Both count: a gap that five seeds show
on 2,515 points may be gone on other points. If it is known which predictions are correct, seed by
seed and point by point, the error of a mean gap is that of a crossed random-effects model. It has
two independent parts:

- s²/S, of the S seeds: s² is the variance of the seeds' gaps, with S − 1 degrees of freedom;
- (p² − r²/S)/N, of the N points: p² is the variance of the points' gaps, and r² that of what
  neither seeds nor points explain. The first part contains r² already.

Each part has its own quantile of Student's t, and the reaches add in squares:

    reach² = t²(S − 1) · s²/S + t²(N − 1) · (p² − r²/S)/N

It assumes that the seeds' effects and the points' are normal, and that points are many. Then such
an interval is never too narrow, at any level: its error rate is the mean of convex functions of the
seeds' share of the error, so it is greatest where that share is 0 or 1, and there it is the level
itself. One quantile with Satterthwaite's degrees of freedom would be too small far out in the
tails, where corrected tests look.

Where the points are not recorded, only the seeds count, and the difference says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf, sqrt
from statistics import mean, stdev, variance
from typing import NamedTuple

import numpy as np
from scipy.stats import t as student

SAME = 1.0  # point: models that are closer than this count as the same
LEVEL = 0.05  # of a test, or of all tests of a table together
TINY = 1e-9  # values that vary by less do not vary

Interval = tuple[float, float]


class Part(NamedTuple):
    """An independent part of the squared error of a mean."""

    squared: float
    freedom: int  # degrees of freedom of that estimate


@dataclass(frozen=True)
class Difference:
    gap: float
    parts: tuple[Part, ...] | None  # of the squared error; None: too few values to tell
    seeds: int
    spread: float | None = None  # standard deviation of the gaps over seeds; None for one seed
    points: int | None = None  # number of test points; None: not recorded, so the seeds alone count
    tests: int = 1  # of the table or claim that it belongs to

    def among(self, tests: int) -> "Difference":
        """As one of several tests: each has its share of the level (Bonferroni)."""
        return replace(self, tests=max(1, tests))

    @property
    def error(self) -> float | None:
        """Standard error of the gap."""
        return None if self.parts is None else sqrt(sum(part.squared for part in self.parts))

    def within(self, level: float) -> Interval:
        """Contains the true difference with a probability of at least 1 − level."""
        if self.parts is None:
            return -inf, inf
        quantiles = [float(student.ppf(1 - level / 2, part.freedom)) for part in self.parts]
        squares = (part.squared * q**2 for part, q in zip(self.parts, quantiles, strict=True))
        reach = sqrt(sum(squares))
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
        return f"{self.gap:+.2f}" + ("*" if self.shows else "") + self.ring

    @property
    def ring(self) -> str:
        """° where only seeds count."""
        return "°" if self.points is None and self.parts is not None else ""


def crossed(gaps: np.ndarray) -> Difference:
    """The difference of two models from each seed's and each test point's gap: (seeds, points)."""
    seeds, points = gaps.shape
    by_seed, by_point = gaps.mean(1), gaps.mean(0)
    gap = float(gaps.mean())
    if seeds < 2 or points < 2:
        return Difference(gap, None, seeds, points=points)
    s2, p2 = float(by_seed.var(ddof=1)), float(by_point.var(ddof=1))
    rest = gaps - by_seed[:, None] - by_point + gap
    r2 = float(np.square(rest).sum()) / ((seeds - 1) * (points - 1))
    of_seeds = Part(s2 / seeds, seeds - 1)
    of_points = Part(max(0.0, p2 - r2 / seeds) / points, points - 1)
    return Difference(gap, (of_seeds, of_points), seeds, sqrt(s2), points)


def over_points(gaps: np.ndarray) -> Interval:
    """Where the mean of one seed's gaps would lie on other test points, with probability 1 − LEVEL.

    It leaves out what another seed would change. So it decides nothing, and is no `Difference`.
    """
    reach = gaps.std(ddof=1) / sqrt(len(gaps)) * student.ppf(1 - LEVEL / 2, len(gaps) - 1)
    return float(gaps.mean() - reach), float(gaps.mean() + reach)


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare seed by seed, over the first seeds that both have (both start at the same seed)."""
    gaps = [a - b for a, b in zip(ours, theirs, strict=False)]
    return _of(gaps, mean(gaps), [gaps])


def unpaired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare two independent sets of seeds. A single value counts as exact."""
    if len(ours) == 1 and len(theirs) > 1:
        gaps = [ours[0] - value for value in theirs]
    else:
        gaps = [value - mean(theirs) for value in ours]
    return _of(gaps, mean(gaps), [ours, theirs])


def _of(gaps: list[float], gap: float, sets: Sequence[Sequence[float]]) -> Difference:
    """Gaps that do not vary: three or more are taken as exact, fewer show nothing."""
    if len(gaps) < 2:
        return Difference(gap, None, len(gaps))
    parts = tuple(Part(variance(v) / len(v), len(v) - 1) for v in sets if len(v) > 1)
    spread = stdev(gaps)
    if spread <= TINY and sum(part.squared for part in parts) <= TINY**2:
        return Difference(gap, () if len(gaps) > 2 else None, len(gaps), spread)
    return Difference(gap, parts, len(gaps), spread)
