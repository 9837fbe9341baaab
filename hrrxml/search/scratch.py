"""Memory that is used again: a new piece for every block would cost more than the work in it."""

from math import prod

import torch
from torch import Tensor


class Scratch:
    def __init__(self, dtype: torch.dtype, device: torch.device) -> None:
        self.memory = torch.empty(0, dtype=dtype, device=device)

    def shaped(self, *shape: int) -> Tensor:
        """A tensor of any values; what was asked for before is overwritten."""
        size = prod(shape)
        if len(self.memory) < size:
            self.memory = self.memory.new_empty(size)
        return self.memory[:size].view(shape)
