"""A model that learns by heart is seen to: training accuracy rises, test accuracy does not."""

import pytest
import torch
from helpers.models import build, rate, settings_for
from helpers.points import random_points

from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.evaluation import subsample as overfitting
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.training import loop as training


def test_training_and_test_accuracy_by_epoch(settings: Params, generator: torch.Generator) -> None:
    points = random_points(61, 30, 12, generator).select(torch.arange(1, 61))
    splits = {"train": points.select(torch.arange(40)), "test": points.select(torch.arange(40, 60))}
    network = build(settings, splits["train"], "bce")
    _, found = training.fit(network, splits["train"], splits, settings_for(30), rate(), seed=0)
    assert [row.epoch for row in found] == list(range(1, 31))
    assert found[0].p1["train"] < found[-1].p1["train"] == 100
    assert found[-1].p1["test"] < 60  # the labels are random
    truth = splits["test"].labels.to_csr(12)
    last = precision_at_k(truth, network.rank(splits["test"], 1).numpy(), 1)[0]
    assert found[-1].p1["test"] == 100 * last


def test_of_many_points_some_are_looked_at(points: Points, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(overfitting.subsample(points, seed=0)) == 40
    monkeypatch.setattr(overfitting, "MOST_RANKED", 30)
    some = overfitting.subsample(points, seed=0)
    assert len(some) == 30
    assert torch.equal(some.labels.ids, overfitting.subsample(points, seed=0).labels.ids)
    assert not torch.equal(some.labels.ids, overfitting.subsample(points, seed=1).labels.ids)
