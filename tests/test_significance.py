"""A difference is called one only where a test over seeds and test points shows it."""

import math
from statistics import mean, variance

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, t, ttest_1samp, ttest_ind

from papers.significance import Difference, Part, crossed, paired, unpaired

percents = st.lists(st.floats(0, 100).map(lambda x: round(x, 2)), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([61.0, 62.0, 63.0], [60.0, 61.1, 61.9], "+1.00*°"),
        ([61.0, 60.0, 63.0], [60.0, 63.0, 60.0], "+0.33°"),
        ([61.0, 62.0, 63.0], [60.0, 61.0, 62.0], "+1.00*°"),
        ([61.0, 62.0], [60.0, 61.0], "+1.00"),
        ([61.0], [60.0], "+1.00"),
    ],
)
def test_a_star_marks_a_difference_and_a_ring_that_seeds_alone_count(
    ours: list[float], theirs: list[float], expected: str
) -> None:
    assert paired(ours, theirs).short == expected


def test_the_critical_value_of_students_t() -> None:
    """Four gaps of mean 1: called a difference up to a deviation of 2 / 3.182."""
    for scale, shows in ((0.62, True), (0.64, False)):
        gaps = [1 + scale * x * math.sqrt(3 / 4) for x in (1, 1, -1, -1)]  # deviation = scale
        found = paired([50 + gap for gap in gaps], [50.0] * 4)
        assert found.spread == pytest.approx(scale)
        assert found.shows == shows
        assert (found.better, found.worse) == (shows, False)


@given(percents, percents)
def test_swapping_the_models_reverses_the_difference(
    ours: list[float], theirs: list[float]
) -> None:
    there, back = paired(ours, theirs), paired(theirs, ours)
    assert there.gap == pytest.approx(-back.gap)
    assert (there.better, there.worse) == (back.worse, back.better)
    assert there.seeds == min(len(ours), len(theirs))
    assert not paired(ours, ours).shows


@pytest.mark.parametrize(
    ("gaps", "expected"),
    [
        ([0.1, -0.1, 0.2, -0.2], True),  # the 90% interval is ±0.21
        ([0.9, 1.0, 1.1, 1.2], None),  # it contains the margin
        ([-3.0, 3.0, -3.0, 3.0], None),  # it contains everything up to the margins
        ([2.0, 2.1, 2.2, 2.3], False),
        ([-2.0, -2.1, -2.2, -2.3], False),
        ([0.5, 0.5, 0.5], True),  # gaps that do not vary are compared directly
        ([1.5, 1.5, 1.5], False),
        ([0.0], None),  # one seed
    ],
)
def test_equivalence(gaps: list[float], expected: bool | None) -> None:
    difference = paired(gaps, [0.0] * len(gaps))
    assert difference.equivalent(1.0) is expected
    assert difference.equivalent() is expected


def test_the_margin_of_equivalence_is_the_one_of_students_t() -> None:
    """Four gaps of mean 0 and deviation 1: the 90% interval is ±2.353 / 2, the 95% ±3.182 / 2."""
    gaps = [x * math.sqrt(3 / 4) for x in (1, 1, -1, -1)]
    difference = paired(gaps, [0.0] * 4)
    assert difference.equivalent(1.178) is True
    assert difference.equivalent(1.176) is None
    assert difference.interval == pytest.approx((-3.182 / 2, 3.182 / 2), abs=1e-3)
    assert paired([1.0], [0.0]).interval == (-math.inf, math.inf)
    assert paired([1.0] * 3, [0.0] * 3).interval == (1, 1)


def test_unpaired_reaches_add_in_squares() -> None:
    """A bit wider than Welch's interval, and the usual one against a single value."""
    ours, theirs = [61.0, 62.0, 64.0], [60.0, 60.5, 61.5, 59.0]
    reaches = [t.ppf(0.975, len(v) - 1) * math.sqrt(variance(v) / len(v)) for v in (ours, theirs)]
    found = unpaired(ours, theirs)
    gap = mean(ours) - mean(theirs)
    assert found.interval == pytest.approx((gap - math.hypot(*reaches), gap + math.hypot(*reaches)))
    welch = ttest_ind(ours, theirs, equal_var=False).confidence_interval()
    assert found.interval[0] < welch[0] < welch[1] < found.interval[1]
    expected = ttest_1samp(ours, 60.0).confidence_interval()
    low, high = unpaired(ours, [60.0]).interval
    assert (60 + low, 60 + high) == pytest.approx(tuple(expected))


def test_one_of_many_tests_needs_more_evidence() -> None:
    """Bonferroni: m intervals of level 5% / m."""
    gaps = [1 + 0.55 * x * math.sqrt(3 / 4) for x in (1, 1, -1, -1)]
    alone = paired(gaps, [0.0] * 4)
    assert alone.shows
    assert not alone.among(20).shows
    assert alone.among(20).interval == alone.within(0.05 / 20)


def simulated(
    rng: np.random.Generator, seeds: int, points: int, by_seed: float, by_point: float
) -> np.ndarray:
    """Gaps of mean 0 with effects of seeds, of points and of neither: (seeds, points)."""
    a = rng.normal(0, by_seed, (seeds, 1))
    b = rng.normal(0, by_point, (1, points))
    return a + b + rng.normal(0, 30, (seeds, points))


@pytest.mark.parametrize(("by_seed", "by_point"), [(0.5, 20.0), (3.0, 1.0), (0.0, 40.0)])
@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_the_interval_over_seeds_and_points_covers_the_truth(
    seeds: int, by_seed: float, by_point: float
) -> None:
    """At least 95% of 600 simulated comparisons contain the true difference, 0 (± 2.2 errors)."""
    rng = np.random.default_rng(0)
    found = [crossed(simulated(rng, seeds, 300, by_seed, by_point)) for _ in range(600)]
    assert mean(not each.shows for each in found) >= 0.93


@pytest.mark.parametrize("tests", [1, 12, 30])
@pytest.mark.parametrize("seeds", [2, 3, 5])
def test_corrected_tests_err_no_more_often_than_they_say(seeds: int, tests: int) -> None:
    """All tests together err in at most one case of twenty, whatever the seeds' share of the error.

    The gap, and the seeds' estimate of their part of its error, are drawn a million times. The
    points' part is known, as with very many points.
    """
    rng = np.random.default_rng(2)
    level = 0.05 / tests
    found = rng.chisquare(seeds - 1, 1_000_000) / (seeds - 1)  # of the seeds' true variance
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0):
        parts = (Part(share, seeds - 1), Part(1 - share, 10**6))
        of_seeds, of_points = (
            Difference(0.0, (part,), seeds).within(level)[1] ** 2 for part in parts
        )
        reach = np.sqrt(of_seeds * found + of_points)
        assert 2 * norm.sf(reach).mean() * tests <= 0.05 * 1.03


def test_the_error_is_that_of_a_bootstrap_over_seeds_and_points() -> None:
    """With many seeds, where a bootstrap of seeds is not too sure."""
    rng = np.random.default_rng(1)
    gaps = simulated(rng, 40, 400, 2.0, 20.0)
    means = [
        gaps[np.ix_(rng.integers(0, 40, 40), rng.integers(0, 400, 400))].mean() for _ in range(3000)
    ]
    assert crossed(gaps).error == pytest.approx(np.std(means), rel=0.15)


def test_points_count_when_seeds_agree() -> None:
    """Five equal seeds on 100 points, 55 against 45 right: chance, although the seeds agree."""
    by_point = np.repeat([100.0, -100.0, 0.0], [30, 20, 50])
    gaps = np.tile(by_point, (5, 1))
    assert paired(gaps.mean(1).tolist(), [0.0] * 5).shows
    assert not crossed(gaps).shows


def test_one_seed_shows_nothing() -> None:
    assert crossed(np.full((1, 50), 100.0)).interval == (-math.inf, math.inf)
