"""VTB as its papers write it: a vector is multiplied by one block-diagonal matrix.

`hrrxml.vsa.vtb` computes the same from one product of two small matrices. This form is what the
HRR paper measured (appendix D), from functions that PyTorch has.
"""

import math

import torch
from torch import Tensor

from hrrxml.vsa.base import check_vectors


def bind(x: Tensor, y: Tensor) -> Tensor:
    """√s · (I ⊗ Y) x, where ⊗ is Kronecker's product: s blocks Y on the diagonal of d × d."""
    check_vectors(x, y)
    s = math.isqrt(y.shape[-1])
    matrix = torch.kron(torch.eye(s, dtype=y.dtype), y.unflatten(-1, (s, s)))  # (…, d, d)
    return math.sqrt(s) * (matrix @ x.unsqueeze(-1)).squeeze(-1)
