"""Models together rank by the mean of their scores."""

from itertools import combinations

import pytest
import torch
from helpers.models import build

from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.evaluation import ensemble


@pytest.mark.parametrize("loss", ["bce", "holographic", "absolute"])
def test_every_three_rank_by_their_mean_score(settings: Params, points: Points, loss: str) -> None:
    models = [build(settings, points, loss, seed=seed).eval() for seed in range(4)]
    found = ensemble.rank_all(models, points, 5)
    assert len(found) == 4
    with torch.no_grad():
        scores = [model.scores(points) for model in models]
    for ranking, three in zip(found, combinations(scores, 3), strict=True):
        expected = (sum(three) / 3).argsort(dim=1, descending=True)[:, :5]  # type: ignore[union-attr]
        assert torch.equal(ranking, expected)


def test_three_copies_of_a_model_rank_as_it_does(settings: Params, points: Points) -> None:
    model = build(settings, points, "bce")
    (together,) = ensemble.rank_all([model] * 3, points, 5)
    assert torch.equal(together, model.rank(points, 5))
