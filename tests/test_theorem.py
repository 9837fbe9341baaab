"""Theorem 2.1's experiment: what is certain of it, and what the report makes of it."""

import math

import pandas as pd
import pytest

from hrrxml.config.schema import Params
from hrrxml.experiments.theorem import experiment, figures, findings


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


def test_the_bounds() -> None:
    assert experiment.needed(100, 1, 50) == math.log(100)
    assert experiment.needed(100, 10, 50) == 10 * math.log(100 * 50)
    assert experiment.largest_cosine(100, 64) ** 2 == pytest.approx(math.log(40_000) / 32)
    assert experiment.greatest_length(100, 3, 64) ** 4 == pytest.approx(81 * math.log(100) / 64)


def test_the_table_and_the_figure(settings: Params) -> None:
    small = settings.theorem.model_copy(
        update={"labels": [20], "sizes": [1, 2], "dims": [2, 64], "points": 4}
    )
    found = experiment.run(small)
    assert len(found) == 2 * 2 * len(experiment.WAYS)
    text = findings.markdown(found)
    assert "| 20 | 1 | 3 |" in text
    assert len(figures.figure(found).axes) == len(experiment.WAYS)


def test_a_lucky_small_d_is_not_where_d_suffices() -> None:
    """From the d reported on, all tested d must do."""
    cells = [(4, 1.0), (8, 0.9), (16, 1.0), (32, 1.0)]
    row = {"way": "sum", "labels": 10, "size": 1, "points": 5}
    found = pd.DataFrame([row | {"d": d, "apart": share, "ranked": 1.0} for d, share in cells])
    assert findings.least_dimensions(found, "apart")["sum"].tolist() == [16]
    assert findings.least_dimensions(found, "ranked")["sum"].tolist() == [4]
    never = found.assign(apart=0.5)
    assert "sum: in none of the settings" in findings.markdown(never)
