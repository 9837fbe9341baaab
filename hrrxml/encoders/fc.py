"""The paper's fully connected encoder: ReLU layers on a sparse bag of words."""

import math
from typing import Literal, Self

import torch
from pydantic import model_validator
from torch import Tensor, nn
from torch.nn.utils.parametrize import register_parametrization

from hrrxml.config.section import Count, Section
from hrrxml.data.points import Points
from hrrxml.encoders import base
from hrrxml.layers.shared_length import SharedLength
from hrrxml.layers.sparse_linear import SparseLinear

ACTIVATIONS = {"relu": nn.ReLU, "leaky_relu": nn.LeakyReLU}


class Settings(Section):
    hidden: Count
    layers: Count
    activation: Literal["relu", "leaky_relu"]
    update: Literal["rows", "all"]
    weight_norm: bool

    @model_validator(mode="after")
    def _normalises_whole_columns(self) -> Self:
        if self.weight_norm and self.update == "rows":
            raise ValueError("weight_norm moves every row of the first layer: set update to all")
        return self


class Encoder(base.Encoder):
    """`layers` hidden layers of `hidden` units (§5.1: 2 × 512).

    The first layer updates only the rows of words that occur in the batch (RowAdam), or all rows
    (Adam) if `update` is `all`, as the authors' code does. `weight_norm` gives each layer one
    learned length, as GLaS does (§3.1).
    """

    def __init__(self, settings: Settings, points: Points, vectors: Tensor | None) -> None:
        super().__init__()
        self.width = settings.hidden
        self.updates_rows = settings.update == "rows"
        activation = ACTIVATIONS[settings.activation]
        self.words = SparseLinear(
            points.n_features, settings.hidden, sparse_gradient=self.updates_rows
        )
        bound = 1 / math.sqrt(points.n_features)  # as in nn.Linear, the published layer
        nn.init.uniform_(self.words.weight, -bound, bound)
        self.bias = nn.Parameter(torch.zeros(settings.hidden))
        hidden: list[nn.Module] = []
        for _ in range(settings.layers - 1):
            hidden += [nn.Linear(settings.hidden, settings.hidden), activation()]
        if settings.weight_norm:
            register_parametrization(self.words, "weight", SharedLength(self.words.weight, 0))
            for layer in hidden:
                if isinstance(layer, nn.Linear):
                    register_parametrization(layer, "weight", SharedLength(layer.weight))
        self.hidden = nn.Sequential(activation(), *hidden)

    def forward(self, batch: Points) -> Tensor:
        return self.hidden(self.words(batch.features) + self.bias)

    def sparse_parameters(self) -> list[Tensor]:
        return [self.words.weight] if self.updates_rows else []
