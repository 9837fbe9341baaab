"""The paper's fully connected encoder: ReLU layers on a sparse bag of words."""

import math

import torch
from torch import Tensor, nn

from hrrxml.config.section import Count, Section
from hrrxml.data.points import Points
from hrrxml.encoders import base
from hrrxml.layers.sparse_linear import SparseLinear


class Settings(Section):
    hidden: Count
    layers: Count


class Encoder(base.Encoder):
    """`layers` hidden layers of `hidden` units (§5.1: 2 × 512).

    The first layer reads and updates only the rows of words that occur in the batch.
    """

    def __init__(self, settings: Settings, points: Points, vectors: Tensor | None) -> None:
        super().__init__()
        self.width = settings.hidden
        self.words = SparseLinear(points.n_features, settings.hidden)
        bound = 1 / math.sqrt(points.n_features)  # as in nn.Linear, the published layer
        nn.init.uniform_(self.words.weight, -bound, bound)
        self.bias = nn.Parameter(torch.zeros(settings.hidden))
        hidden = []
        for _ in range(settings.layers - 1):
            hidden += [nn.Linear(settings.hidden, settings.hidden), nn.ReLU()]
        self.hidden = nn.Sequential(nn.ReLU(), *hidden)

    def forward(self, batch: Points) -> Tensor:
        return self.hidden(self.words(batch.features) + self.bias)

    def sparse_parameters(self) -> list[Tensor]:
        return [self.words.weight]
