"""A head's output layer: linear in the encoder's output and, optionally, in the features."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.layers.sparse_linear import SparseLinear
from hrrxml.runtime.errors import UserError


class Output(nn.Module):
    """W·encoded + b, plus V·features if there is a shortcut; V starts at zero."""

    def __init__(self, width: int, dim: int, n_features: int, shortcut: bool) -> None:
        super().__init__()
        if not width and not shortcut:
            raise UserError("encoder none needs a head with a shortcut: set the head's shortcut")
        bound = max(1, width) ** -0.5  # as in nn.Linear
        self.weight = nn.Parameter(torch.empty(dim, width).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(dim).uniform_(-bound, bound))
        self.shortcut = SparseLinear(n_features, dim) if shortcut else None

    def forward(self, encoded: Tensor, features: Bags) -> Tensor:
        outputs = F.linear(encoded, self.weight, self.bias)
        return outputs if self.shortcut is None else outputs + self.shortcut(features)

    def sparse_parameters(self) -> list[Tensor]:
        return [] if self.shortcut is None else [self.shortcut.weight]
