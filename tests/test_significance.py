"""A difference is called one only where a paired test over seeds does."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hrrxml.report.significance import paired

percents = st.lists(st.floats(0, 100).map(lambda x: round(x, 2)), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([61.0, 62.0, 63.0], [60.0, 61.1, 61.9], "+1.00 ± 0.10 (a difference)"),
        ([61.0, 60.0, 63.0], [60.0, 63.0, 60.0], "+0.33 ± 3.06 (no difference shown)"),
        ([61.0, 62.0, 63.0], [60.0, 61.0, 62.0], "+1.00 ± 0.00 (a difference)"),
        ([61.0, 62.0], [60.0, 61.0], "+1.00 ± 0.00 (no difference shown)"),
        ([61.0], [60.0], "+1.00 (one seed)"),
    ],
)
def test_a_difference_is_told_with_spread_and_verdict(
    ours: list[float], theirs: list[float], expected: str
) -> None:
    assert str(paired(ours, theirs)) == expected


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
    assert there.n == min(len(ours), len(theirs))
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
