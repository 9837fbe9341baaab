"""Prepared data survives the disk, and what could not be trusted is refused."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from hrrxml.data import points as data
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors, write_tensors


def test_points_that_are_saved_are_loaded_the_same(points: Points, tmp_path: Path) -> None:
    path = tmp_path / "train.safetensors"
    data.save(points, path)
    loaded = data.load(path)
    assert (loaded.n_features, loaded.n_tokens, loaded.n_labels) == (30, 30, 12)
    for name in data.BAGS:
        before, after = getattr(points, name), getattr(loaded, name)
        assert torch.equal(before.ids, after.ids)
        assert torch.equal(before.offsets, after.offsets)
    assert points.features.weights is not None
    assert loaded.features.weights is not None
    assert torch.equal(points.features.weights, loaded.features.weights)


def test_points_without_tokens(points: Points, tmp_path: Path) -> None:
    data.save(replace(points, tokens=None, n_tokens=0), tmp_path / "points")
    loaded = data.load(tmp_path / "points")
    assert loaded.tokens is None
    assert loaded.select(torch.tensor([3, 1])).tokens is None


def test_untrustworthy_data_is_refused(points: Points, tmp_path: Path) -> None:
    def refused(changed: Points, message: str) -> None:
        data.save(changed, tmp_path / "points")
        with pytest.raises(UserError, match=message):
            data.load(tmp_path / "points")

    assert points.features.weights is not None
    weights = points.features.weights.clone()
    weights[3] = float("nan")
    nan = Bags(points.features.ids, points.features.offsets, weights)
    refused(replace(points, n_labels=5), "labels has an id outside 0…4")
    refused(replace(points, features=nan), "not a finite number")
    refused(replace(points, tokens=Bags.from_lists([[1]])), "1 rows of tokens for 40 points")
    refused(points.select(torch.empty(0, dtype=torch.int64)), "no points")


def test_a_file_without_one_of_the_tensors_is_refused(points: Points, tmp_path: Path) -> None:
    path = tmp_path / "points"
    data.save(points, path)
    tensors = read_tensors(path)
    del tensors["labels.ids"]
    write_tensors(path, tensors)
    with pytest.raises(UserError, match=r"has no 'labels\.ids'"):
        data.load(path)
