"""How many outputs labels need, from a record that is known."""

import math
import re

import pytest

from papers import crosstalk
from papers.crosstalk import Line


def line(p1: dict[int, float], n_labels: int = 64) -> Line:
    return Line("toy", n_labels, {d: [value] for d, value in p1.items()})


def test_the_needed_outputs_lie_between_those_that_were_tried() -> None:
    """16 outputs lose 2 points, 32 half a point: one point is two thirds of the way."""
    needed = line({16: 48.0, 32: 49.5, 64: 50.0}).needed()
    assert needed == pytest.approx(16 * 2 ** (2 / 3))


def test_a_dip_counts_from_its_last_point_on() -> None:
    """At 16 enough, at 32 too little: what is needed lies above 32."""
    needed = line({8: 40.0, 16: 49.5, 32: 48.0, 64: 50.0}).needed()
    assert needed == pytest.approx(32 * 2**0.5)


def test_where_few_outputs_are_enough_the_need_is_unknown() -> None:
    assert line({16: 49.9, 64: 50.0}).needed() is None


def test_a_power_law_is_found_again() -> None:
    """d' = 2·√L is needed: a point is lost where d' is half way, on a logarithmic scale."""
    found = []
    for n in (100, 1_000, 10_000):
        need = 2 * math.sqrt(n)
        found.append(line({round(need / 2): 48.0, round(2 * need): 50.0, n: 50.0}, n))
    text = crosstalk._growth(found)
    assert "the power of 0.50" in text
    predicted = re.search(r"([\d,]+) for the 670,091 labels", text)
    assert predicted
    assert int(predicted[1].replace(",", "")) == pytest.approx(2 * math.sqrt(670_091), rel=0.05)
