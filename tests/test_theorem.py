"""Theorem 2.1's experiment: what is certain of it."""

import math

import pandas as pd
import pytest

from hrrxml.config.schema import Params
from hrrxml.experiments.theorem import experiment, figures


@pytest.mark.parametrize("way", experiment.WAYS)
def test_many_dimensions_suffice_and_one_does_not(way: str) -> None:
    many = experiment.fit(way, labels=20, size=2, d=400, points=5, seed=0)
    assert (many.apart, many.ranked) == (1, 1)
    assert many.cosine <= experiment.largest_cosine(20, 400)
    assert 0.666 <= many.length < 2  # less than 2/3 reaches no unit vector's own label
    one = experiment.fit(way, labels=20, size=2, d=1, points=5, seed=0)
    assert (one.apart, one.ranked, one.cosine) == (0, 0, 1)


def test_the_better_fit_needs_less() -> None:
    shares = [experiment.fit(way, 100, 3, 32, 20, seed=0).apart for way in experiment.WAYS]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] == 1


def test_the_bounds_are_those_of_the_paper() -> None:
    assert experiment.needed(100, 1, 50) == math.log(100)
    assert experiment.needed(100, 10, 50) == 10 * math.log(100 * 50)
    assert experiment.largest_cosine(100, 64) ** 2 == pytest.approx(math.log(40_000) / 32)
    assert experiment.greatest_length(100, 3, 64) ** 4 == pytest.approx(81 * math.log(100) / 64)


def test_the_table_and_the_figure(settings: Params) -> None:
    small = settings.theorem.model_copy(
        update={"labels": [20], "sizes": [1, 2], "dims": [2, 64], "points": 4}
    )
    found = pd.DataFrame(experiment.run(small))
    assert len(found) == 2 * 2 * len(experiment.WAYS)
    assert set(found["d"]) == {2, 64}
    assert found["apart"].between(0, 1).all()
    assert len(figures.figure(found).axes) == len(experiment.WAYS)
