"""Label adjacency from co-occurrence: the matrix U of GLaS's eq. 3."""

from typing import Literal

import numpy as np
import torch
from scipy.sparse import coo_array, csr_array
from torch import Tensor

from hrrxml.data.bags import Bags

Measure = Literal["arithmetic", "geometric", "jaccard", "pmi"]


def adjacency(labels: Bags, n_labels: int, measure: Measure) -> Bags:
    """Row y holds the labels y' that occur with y, with weights u. U is symmetric with u_yy = 1.

    A = YᵀY stores only the pairs that occur, and F(y'|y) = A_yy' / A_yy. The measures are the
    `arithmetic` mean of F(y'|y) and F(y|y') (eq. 3), their `geometric` mean, `jaccard`
    A_yy' / (A_yy + A_y'y' − A_yy'), and positive `pmi` divided by −log p(y, y'), whose maximum
    is 1. A label that never occurs has an empty row, because F is undefined for it.
    """
    y = labels.to_csr(n_labels)
    cooccurrence = coo_array(y.T @ y)
    row, column = cooccurrence.coords
    counts = np.bincount(labels.ids.numpy(), minlength=n_labels)
    both, first, second = cooccurrence.data.astype(np.float64), counts[row], counts[column]
    match measure:
        case "arithmetic":
            u = (both / first + both / second) / 2
        case "geometric":
            u = both / np.sqrt(first * second)
        case "jaccard":
            u = both / (first + second - both)
        case "pmi":
            u = _normalised_pmi(both / len(labels), first / len(labels), second / len(labels))
    kept = u > 0
    matrix = csr_array((u[kept], (row[kept], column[kept])), shape=cooccurrence.shape)
    return Bags.from_csr(matrix)


def _normalised_pmi(both: np.ndarray, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    information = -np.log(both)
    certain = information == 0  # both labels are in every point: 0/0, defined as 1
    pmi = np.log(both / (first * second))
    return np.where(certain, 1.0, pmi / np.where(certain, 1.0, information))


def among(u: Bags, labels: Tensor) -> Tensor:
    """The dense submatrix of U for unique labels in ascending order: (n, n)."""
    rows = u.select(labels)
    place = torch.searchsorted(labels, rows.ids).clamp_(max=len(labels) - 1)
    inside = labels[place] == rows.ids
    assert rows.weights is not None
    submatrix = rows.weights.new_zeros(len(labels), len(labels))
    submatrix[rows.rows[inside], place[inside]] = rows.weights[inside]
    return submatrix
