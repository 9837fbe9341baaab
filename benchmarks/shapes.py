"""The sizes of published datasets, to make synthetic data of."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Shape:
    points: int  # of the training set
    features: int
    labels: int
    features_per_point: float
    labels_per_point: float
    words: int  # of a text, at most the 500 that are read
    dim: int  # d' in the HRR paper
    batch: int  # there, too


SHAPES = {
    "mediamill": Shape(30993, 120, 101, 120, 4.38, words=100, dim=400, batch=64),
    "bibtex": Shape(4880, 1836, 159, 68.7, 2.4, words=100, dim=400, batch=64),
    "delicious": Shape(12920, 500, 983, 18, 19.03, words=100, dim=400, batch=64),
    "eurlex-4k": Shape(15539, 5000, 3993, 236, 5.31, words=500, dim=400, batch=64),
    "wiki10-31k": Shape(14146, 101938, 30938, 673, 18.64, words=500, dim=3000, batch=64),
    "amazoncat-13k": Shape(1186239, 203882, 13330, 71, 5.04, words=250, dim=3000, batch=64),
    "delicious-200k": Shape(196606, 782585, 205443, 301, 75.54, words=500, dim=3000, batch=8),
    "amazon-670k": Shape(490449, 135909, 670091, 76, 5.45, words=250, dim=3000, batch=16),
}
