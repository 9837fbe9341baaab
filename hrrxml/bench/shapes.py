"""The sizes of published datasets, to make synthetic data of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    points: int  # of the training set
    features: int
    labels: int
    features_per_point: float
    labels_per_point: float


SHAPES = {
    "amazon-670k": Shape(490449, 135909, 670091, 76, 5.45),
    "bibtex": Shape(4880, 1836, 159, 68.7, 2.4),
}
