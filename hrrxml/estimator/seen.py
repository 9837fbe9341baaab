"""What is remembered of the training points: their number, their labels and their mean."""

from dataclasses import dataclass

import torch
from torch import Tensor

from hrrxml.data.points import Points


@dataclass(frozen=True)
class Seen:
    n_points: int
    counts: Tensor  # points with each label: (labels,)
    mean: Tensor  # mean of the points' features: (features,)

    @staticmethod
    def nothing(n_labels: int, n_features: int) -> "Seen":
        return Seen(0, torch.zeros(n_labels, dtype=torch.int64), torch.zeros(n_features))

    def plus(self, points: Points) -> "Seen":
        """These points, and more."""
        n_points = self.n_points + len(points)
        counts = self.counts + torch.bincount(points.labels.ids, minlength=len(self.counts))
        assert points.features.weights is not None
        total = self.mean * self.n_points
        total.index_add_(0, points.features.ids.long(), points.features.weights)
        return Seen(n_points, counts, total / max(1, n_points))

    def with_labels(self, n: int) -> "Seen":
        """The same points, and n more labels that none of them has."""
        return Seen(self.n_points, torch.cat([self.counts, self.counts.new_zeros(n)]), self.mean)
