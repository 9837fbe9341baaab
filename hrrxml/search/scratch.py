"""Reusable memory: allocating it for every block would cost more than the computation."""

from math import prod

import torch
from torch import Tensor


class Scratch:
    def __init__(self, dtype: torch.dtype, device: torch.device) -> None:
        self.memory = torch.empty(0, dtype=dtype, device=device)

    def shaped(self, *shape: int) -> Tensor:
        """An uninitialised tensor, in the same memory as the tensors returned before."""
        size = prod(shape)
        if len(self.memory) < size:
            self.memory = self.memory.new_empty(size)
        return self.memory[:size].view(shape)
