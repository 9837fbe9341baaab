"""Fixtures that several tests use: tiny random datasets, and WordNet's real files."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

# Tests run side by side, each on a core: threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Tests start many processes: the first one compiles the project for all others.
os.environ["PYTHONDONTWRITEBYTECODE"] = ""

import hypothesis
import pytest
import torch
from helpers.network import fetch
from helpers.points import random_points
from helpers.project import ROOT

from hrrxml.config import params, paths
from hrrxml.config.schema import Params
from hrrxml.data.points import Points

if TYPE_CHECKING:
    from papers.evidence import Evidence

# The same examples on every run, and no verdict on how long one takes.
hypothesis.settings.register_profile("hrrxml", deadline=None, derandomize=True)
hypothesis.settings.load_profile("hrrxml")

# The files that take longest, which begin first, so that no worker is left with one in the end.
LONGEST = [
    f"test_{name}.py"
    for name in (
        "end_to_end", "survival", "interrupted_pipeline", "real_datasets", "records", "extending",
        "classifier_sklearn", "faults",
    )
]  # fmt: skip


def pytest_xdist_auto_num_workers() -> int:
    """Half as many again as there are cores: a third of the time is spent waiting for processes."""
    cores = os.cpu_count() or 1
    return cores + cores // 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: [*LONGEST, item.path.name].index(item.path.name))


@pytest.fixture(scope="session")
def settings() -> Params:
    """The committed params.yaml."""
    return params.load(ROOT / "params.yaml")


@pytest.fixture(scope="module")
def committed() -> Iterator["Evidence"]:
    """Everything in papers/records, read from the project's root."""
    from papers import evidence  # takes a second, which most tests need not wait

    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        yield evidence.read()


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def points(generator: torch.Generator) -> Points:
    """40 points, 30 words, 12 labels; the first point has none."""
    return random_points(40, 30, 12, generator)


@pytest.fixture
def corpus(generator: torch.Generator) -> Points:
    """40 points that all have labels, so that a model can get every one right."""
    return random_points(41, 30, 12, generator).select(torch.arange(1, 41))


@pytest.fixture(scope="session")
def wordnet(settings: Params, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WordNet's folder: the pipeline's own copy if it is intact, else from the package index."""
    copy = tmp_path_factory.mktemp("download") / "wordnet"
    local = ROOT / paths.download("wordnet")
    if local.exists():
        shutil.copytree(local, copy)
    fetch(settings.datasets["wordnet"], copy)
    return copy
