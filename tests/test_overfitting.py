"""A model that learns by heart is seen to: training accuracy rises, test accuracy does not."""

import torch
from conftest import random_points
from test_training import TRAIN, build

from hrrxml import overfitting
from hrrxml.metrics import precision_at_k
from hrrxml.schema import HeadSettings, Params, Train


def test_training_and_test_accuracy_by_epoch(settings: Params, generator: torch.Generator) -> None:
    points = random_points(61, 30, 12, generator).select(torch.arange(1, 61))
    splits = {"train": points.select(torch.arange(40)), "test": points.select(torch.arange(40, 60))}
    network = build(settings, splits["train"], "bce")
    train = Train(**(TRAIN | {"epochs": 30, "average_from": None}))
    rate = HeadSettings(learning_rate=1e-2, decay=0.95, shortcut=None)
    found = overfitting.follow(network, splits, train, rate, seed=0)
    assert [row.epoch for row in found] == list(range(1, 31))
    assert found[0].train < found[-1].train == 100
    assert found[-1].test < 60  # the labels are random
    truth = splits["test"].labels.to_csr(12)
    last = precision_at_k(truth, network.rank(splits["test"], 1).numpy(), 1)[0]
    assert found[-1].test == 100 * last
