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
        ([61.0, 60.0, 63.0], [60.0, 63.0, 60.0], "+0.33 ± 3.06 (none that shows)"),
        ([61.0, 62.0, 63.0], [60.0, 61.0, 62.0], "+1.00 ± 0.00 (a difference)"),
        ([61.0, 62.0], [60.0, 61.0], "+1.00 ± 0.00 (none that shows)"),
        ([61.0], [60.0], "+1.00 (one seed)"),
    ],
)
def test_in_words(ours: list[float], theirs: list[float], expected: str) -> None:
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
def test_turned_round(ours: list[float], theirs: list[float]) -> None:
    there, back = paired(ours, theirs), paired(theirs, ours)
    assert there.gap == pytest.approx(-back.gap)
    assert (there.better, there.worse) == (back.worse, back.better)
    assert there.n == min(len(ours), len(theirs))
    assert not paired(ours, ours).shows
