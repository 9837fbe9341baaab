"""How much labels belong together, by how often they occur together: U of GLaS's eq. 3."""

from typing import Literal

import numpy as np
import torch
from scipy.sparse import coo_array, csr_array
from torch import Tensor

from hrrxml.data.bags import Bags

Measure = Literal["arithmetic", "geometric", "jaccard", "pmi"]


def adjacency(labels: Bags, n_labels: int, measure: Measure) -> Bags:
    """Row y has the labels y' that occur with y, weighted by u: symmetric, u = 1 where y' = y.

    With A = YᵀY, of which only pairs that occur are ever held, and F(y'|y) = A_yy' / A_yy:
    `arithmetic` mean of F(y'|y) and F(y|y') (eq. 3), their `geometric` mean, `jaccard`'s
    A_yy' / (A_yy + A_y'y' − A_yy'), or positive `pmi`, divided by −log p(y, y') so that it ends
    at 1. The row of a label that never occurs is empty: no frequency is conditional on it.
    """
    y = labels.to_csr(n_labels)
    together = coo_array(y.T @ y)
    row, column = together.coords
    counts = np.bincount(labels.ids.numpy(), minlength=n_labels)
    both, here, there = together.data.astype(np.float64), counts[row], counts[column]
    match measure:
        case "arithmetic":
            u = (both / here + both / there) / 2
        case "geometric":
            u = both / np.sqrt(here * there)
        case "jaccard":
            u = both / (here + there - both)
        case "pmi":
            u = _normalised_pmi(both / len(labels), here / len(labels), there / len(labels))
    kept = u > 0
    found = csr_array((u[kept], (row[kept], column[kept])), shape=together.shape)
    return Bags.from_csr(found)


def _normalised_pmi(both: np.ndarray, here: np.ndarray, there: np.ndarray) -> np.ndarray:
    information = -np.log(both)
    certain = information == 0  # in every point: 0/0, and they do go together
    pmi = np.log(both / (here * there))
    return np.where(certain, 1.0, pmi / np.where(certain, 1.0, information))


def among(u: Bags, labels: Tensor) -> Tensor:
    """The square of U for some labels, each once and in rising order: (n, n), dense."""
    rows = u.select(labels)
    place = torch.searchsorted(labels, rows.ids).clamp_(max=len(labels) - 1)
    inside = labels[place] == rows.ids
    assert rows.weights is not None
    square = rows.weights.new_zeros(len(labels), len(labels))
    square[rows.rows[inside], place[inside]] = rows.weights[inside]
    return square
