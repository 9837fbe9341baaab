"""The sizes of published datasets. Synthetic data is made in these shapes."""

from dataclasses import dataclass
from functools import cache

from hrrxml.config import params
from hrrxml.config.schema import Dataset
from papers.published import PUBLISHED


@dataclass(frozen=True)
class Shape:
    points: int  # in the training set
    features: int
    labels: int
    features_per_point: float
    labels_per_point: float
    words: int  # in a text, at most the 500 that the encoders read
    dim: int  # d' in the HRR paper
    batch: int  # batch size in the HRR paper


@cache
def shapes() -> dict[str, Shape]:
    """The datasets of Table 6, from params.yaml and papers/published.yaml."""
    datasets = params.load().datasets
    return {name: _shape(name, datasets[name]) for name in PUBLISHED["table6"]}


def _shape(name: str, dataset: Dataset) -> Shape:
    expect, paper = dataset.expect, dataset.paper
    assert expect.points
    assert expect.features
    assert expect.labels
    assert paper
    return Shape(
        points=expect.points[0],
        features=expect.features,
        labels=expect.labels,
        labels_per_point=PUBLISHED["table6"][name]["labels_per_point"],
        dim=paper.dim,
        batch=paper.batch_size,
        **PUBLISHED["shapes"][name],
    )
