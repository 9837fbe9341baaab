"""Weight normalisation with one length for a whole layer (GLaS §3.1)."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class SharedLength(nn.Module):
    """A parametrization: one direction per output, and one learned length for all of them.

    `inputs` is the dimension of the weight that runs over the layer's inputs.
    """

    def __init__(self, weight: Tensor, inputs: int = 1) -> None:
        super().__init__()
        self.inputs = inputs
        self.length = nn.Parameter(torch.linalg.vector_norm(weight.detach(), dim=inputs).mean())

    def forward(self, directions: Tensor) -> Tensor:
        return self.length * F.normalize(directions, dim=self.inputs)
