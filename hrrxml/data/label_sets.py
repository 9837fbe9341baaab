"""Labels as users have them, turned into `Bags`."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from scipy.sparse import csr_matrix, issparse
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.runtime.errors import UserError

# Lists of ids; a scipy or torch CSR matrix (points, labels); or flat ids with their offsets.
LabelSets: TypeAlias = Bags | Sequence[Sequence[int]] | csr_matrix | Tensor | tuple[Tensor, Tensor]


def as_bags(labels: LabelSets, n_points: int, n_labels: int, device: torch.device) -> Bags:
    """The labels of each point, ascending and each once, on `device`.

    `labels` is a list of ids per point, a scipy or torch CSR matrix whose nonzero entries are the
    labels, or a tuple (ids, offsets). Offsets have one entry per point, as in nn.EmbeddingBag, or
    one more, as in CSR.
    """
    ids, offsets = (part.to(device) for part in _ids_and_offsets(labels, n_points))
    if len(offsets) != n_points + 1:
        raise UserError(f"labels of {len(offsets) - 1} points for a batch of {n_points}")
    if int(offsets[0]) != 0 or int(offsets[-1]) != len(ids) or bool((offsets.diff() < 0).any()):
        raise UserError("the offsets of the labels must ascend from 0 to the number of ids")
    if len(ids) and not 0 <= int(ids.min()) <= int(ids.max()) < n_labels:
        wrong = int(ids.min()) if int(ids.min()) < 0 else int(ids.max())
        raise UserError(f"there is no label {wrong}: the ids of {n_labels} labels start at 0")
    rows = torch.repeat_interleave(torch.arange(n_points, device=device), offsets.diff())
    pairs = torch.unique(rows * n_labels + ids)  # sorted by point, then by label
    lengths = torch.bincount(pairs // n_labels, minlength=n_points)
    return Bags(pairs % n_labels, torch.cat([lengths.new_zeros(1), lengths.cumsum(0)]))


def _ids_and_offsets(labels: Any, n_points: int) -> tuple[Tensor, Tensor]:
    """Flat ids and CSR offsets, both int64; an id may occur twice in a row."""
    if isinstance(labels, Bags):
        return labels.ids.long(), labels.offsets
    if issparse(labels):
        matrix = csr_matrix(labels, copy=True)
        matrix.eliminate_zeros()
        parts = (matrix.indices, matrix.indptr)
        return torch.from_numpy(parts[0].astype(np.int64)), torch.from_numpy(
            parts[1].astype(np.int64)
        )
    if isinstance(labels, Tensor):
        if labels.layout != torch.sparse_csr:
            raise UserError("labels as a tensor must be CSR: use labels.to_sparse_csr()")
        kept = labels.values() != 0
        before = torch.cat([kept.new_zeros(1, dtype=torch.int64), kept.cumsum(0)])
        return labels.col_indices()[kept].long(), before[labels.crow_indices().long()]
    if isinstance(labels, tuple) and len(labels) == 2 and isinstance(labels[0], Tensor):
        ids, offsets = labels[0].long(), labels[1].long()
        if len(offsets) == n_points:
            offsets = torch.cat([offsets, offsets.new_tensor([len(ids)])])
        return ids, offsets
    bags = Bags.from_lists([[int(i) for i in row] for row in labels])
    return bags.ids.long(), bags.offsets
