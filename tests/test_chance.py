"""Chance explains what recorded seeds differ by, and little more."""

from itertools import combinations
from math import sqrt

import pytest
from helpers.project import ROOT

from hrrxml import suite
from hrrxml.report import chance
from hrrxml.report.change import LEVEL
from hrrxml.report.results import HEADLINES
from papers import records

# The test points of the default suite's dataset and of the small one.
POINTS = {"wordnet": 8027, "wordnet-animals": 392}


def test_one_seed_has_the_binomial_error() -> None:
    """Half of 100 points deviate by 5; two values by √2 as much; 1.96 leaves 5% to chance."""
    assert chance.limit([50.0], [50.0], 100, 0.05) == pytest.approx(1.96 * sqrt(2) * 5, rel=1e-3)
    assert chance.limit([40.0], [60.0], 100, 0.05) == pytest.approx(1.96 * sqrt(2) * 5, rel=1e-3)
    assert chance.limit([50.0], [50.0], 400, 0.05) == pytest.approx(1.96 * sqrt(2) * 2.5, rel=1e-3)
    assert chance.limit([50.0], [50.0], 100, 0.001) > chance.limit([50.0], [50.0], 100, 0.05)


def test_seeds_that_deviate_more_count_themselves() -> None:
    wild, calm = [30.0, 50.0, 70.0], [49.9, 50.0, 50.1]
    expected = 1.96 * 20 * sqrt(1 / 3 + 1)
    assert chance.limit(wild, [50.0], 100, 0.05) == pytest.approx(expected, rel=1e-3)
    assert chance.limit(calm, calm, 100, 0.05) == pytest.approx(1.96 * 5 * sqrt(2 / 3), rel=1e-3)
    pooled = sqrt((800 + 0.02) / 4)
    assert chance.limit(wild, calm, 10**9, 0.05) == pytest.approx(
        1.96 * pooled * sqrt(2 / 3), rel=1e-3
    )


def test_a_metric_without_errors_cannot_deviate() -> None:
    assert chance.limit([100.0], [100.0], 50, 0.001) == 0
    assert chance.limit([0.0], [0.0], 50, 0.001) == 0


@pytest.mark.parametrize("name", ["default", "regression"])
def test_no_two_recorded_seeds_are_further_apart(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the limit is not generous: some seeds come to more than half of it."""
    monkeypatch.chdir(ROOT)
    shares = []
    for run in suite.read(name)["runs"]:
        record = records.read("runs", run)
        points = POINTS[record["dataset"]]
        for metric in HEADLINES:
            for a, b in combinations(record["metrics"][metric], 2):
                shares.append(abs(a - b) / chance.limit([a], [b], points, LEVEL))
    assert len(shares) > 150
    assert 0.5 < max(shares) < 1
