"""Whether one model is better than another: a paired test over seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt
from statistics import mean, stdev

from scipy.stats import t, ttest_rel

SAME = 1.0  # point: what is called the same, whatever a test over many seeds may see
LEVEL = 0.05  # of a two-sided t-test: one in twenty differences that are none is called one


@dataclass(frozen=True)
class Difference:
    """Ours less theirs, seed by seed."""

    gap: float
    spread: float | None  # standard deviation of the gaps; none of a single seed
    n: int
    shows: bool  # what is called a difference

    @property
    def reach(self) -> float:
        """Half the width of the interval that has the true difference, 19 times in 20."""
        if self.spread is None:
            return inf
        return float(t.ppf(1 - LEVEL / 2, self.n - 1)) * self.spread / sqrt(self.n)

    @property
    def better(self) -> bool:
        return self.shows and self.gap > 0

    @property
    def worse(self) -> bool:
        return self.shows and self.gap < 0

    def __str__(self) -> str:
        if self.spread is None:
            return f"{self.gap:+.2f} (one seed)"
        verdict = "a difference" if self.shows else "none that shows"
        return f"{self.gap:+.2f} ± {self.spread:.2f} ({verdict})"

    @property
    def short(self) -> str:
        """For a table: a star where it shows."""
        return f"{self.gap:+.2f}" + ("*" if self.shows else "")


def paired(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """Of the seeds that both have: the first ones, since seeds are counted from the same."""
    gaps = [a - b for a, b in zip(ours, theirs, strict=False)]
    if len(gaps) < 2:
        return Difference(mean(gaps), None, len(gaps), False)
    spread = stdev(gaps)
    # Gaps that do not vary at all leave nothing to test by: three of them are no chance.
    n = len(gaps)
    varied = spread > 1e-9
    shows = (
        bool(ttest_rel(ours[:n], theirs[:n]).pvalue < LEVEL) if varied else n > 2 and gaps[0] != 0
    )
    return Difference(mean(gaps), spread, n, shows)
