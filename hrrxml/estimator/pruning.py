"""Smaller files: a matrix without its smallest weights, as three flat tensors."""

import torch
from torch import Tensor

from hrrxml.runtime.errors import InputError

PARTS = ("values", "columns", "lengths")


def prune(tensors: dict[str, Tensor], name: str, share: float) -> dict[str, Tensor]:
    """Replace one matrix by its largest weights: values, columns, and the number in each row.

    A weight that is kept takes twice its space, for its column: below a share of one half, the
    file would grow.
    """
    if not 0.5 < share < 1:
        raise InputError(f"prune is {share}; it is the share to drop, between 0.5 and 1")
    matrix = tensors[name]
    magnitudes = matrix.float().abs()
    least = magnitudes.flatten().kthvalue(max(1, int(share * matrix.numel()))).values
    kept = magnitudes > least
    columns = kept.nonzero()[:, 1]
    narrow = torch.uint16 if matrix.shape[1] <= 2**16 else torch.int32
    values = (matrix[kept], columns.to(narrow), kept.sum(1).int())
    rest = {key: value for key, value in tensors.items() if key != name}
    shape = {f"{name}.shape": torch.tensor(matrix.shape)}
    return rest | shape | {f"{name}.{part}": v for part, v in zip(PARTS, values, strict=True)}


def restore(tensors: dict[str, Tensor], name: str) -> dict[str, Tensor]:
    """The matrix in full again; without a pruned matrix, the tensors as they are."""
    if f"{name}.values" not in tensors:
        return tensors
    values, columns, lengths = (tensors[f"{name}.{part}"] for part in PARTS)
    matrix = torch.zeros(tensors[f"{name}.shape"].tolist(), dtype=values.dtype)
    rows = torch.repeat_interleave(torch.arange(len(lengths)), lengths.long())
    matrix[rows, columns.long()] = values
    rest = {key: value for key, value in tensors.items() if not key.startswith(f"{name}.")}
    return rest | {name: matrix}
