"""Whether one model is better than another: tests over seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from statistics import mean, stdev
from typing import Any

from scipy.stats import ttest_1samp, ttest_ind, ttest_rel

SAME = 1.0  # point: models that are closer than this count as the same
LEVEL = 0.05  # of each test
TINY = 1e-9  # values that vary by less do not vary

Interval = tuple[float, float]


@dataclass(frozen=True)
class Difference:
    """How far one model's metric lies above another's."""

    gap: float
    spread: float | None  # standard deviation of the gaps over seeds; None for one seed
    n: int  # seeds
    interval: Interval  # contains the true difference in 95 of 100 cases
    narrow: Interval  # contains it in 90 of 100 cases: for two one-sided tests at 5%

    @property
    def shows(self) -> bool:
        """True if a two-sided test at 5% shows a difference."""
        return not self.interval[0] <= 0 <= self.interval[1]

    @property
    def better(self) -> bool:
        return self.interval[0] > 0

    @property
    def worse(self) -> bool:
        return self.interval[1] < 0

    def equivalent(self, margin: float = SAME) -> bool | None:
        """Two one-sided tests at 5%: True inside ±margin, False outside, None if not clear."""
        low, high = self.narrow
        if -margin < low and high < margin:
            return True
        return False if low >= margin or high <= -margin else None

    def at_least(self, least: float) -> bool | None:
        """One-sided tests at 5%: True if at least `least`, False if less, None if not clear."""
        low, high = self.narrow
        return True if low >= least else False if high < least else None

    def __str__(self) -> str:
        if self.spread is None:
            return f"{self.gap:+.2f} (one seed)"
        verdict = "a difference" if self.shows else "no difference shown"
        return f"{self.gap:+.2f} ± {self.spread:.2f} ({verdict})"

    @property
    def short(self) -> str:
        """For a table; a star marks a difference that a test shows."""
        return f"{self.gap:+.2f}" + ("*" if self.shows else "")


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare seed by seed, over the first seeds that both have (both start at the same seed)."""
    n = min(len(ours), len(theirs))
    gaps = [a - b for a, b in zip(ours, theirs, strict=False)]
    if n < 2 or stdev(gaps) <= TINY:
        return _untested(gaps)
    return _tested(ttest_rel(ours[:n], theirs[:n]), gaps)


def unpaired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Compare two independent sets of seeds. A single value counts as exact."""
    if len(ours) == 1 and len(theirs) > 1:
        gaps = [ours[0] - value for value in theirs]
    else:
        gaps = [value - mean(theirs) for value in ours]
    if len(gaps) < 2 or stdev(gaps) <= TINY:
        return _untested(gaps)
    if min(len(ours), len(theirs)) == 1:
        return _tested(ttest_1samp(gaps, 0), gaps)
    return _tested(ttest_ind(ours, theirs, equal_var=False), gaps)


def _tested(test: Any, gaps: list[float]) -> Difference:
    wide, narrow = (test.confidence_interval(1 - level) for level in (LEVEL, 2 * LEVEL))
    return Difference(mean(gaps), stdev(gaps), len(gaps), _ends(wide), _ends(narrow))


def _ends(interval: Any) -> Interval:
    return float(interval.low), float(interval.high)


def _untested(gaps: list[float]) -> Difference:
    """Gaps that do not vary: three or more are taken as exact, fewer show nothing."""
    exact = len(gaps) > 2
    interval = (gaps[0], gaps[0]) if exact else (-inf, inf)
    return Difference(
        mean(gaps), stdev(gaps) if len(gaps) > 1 else None, len(gaps), interval, interval
    )
