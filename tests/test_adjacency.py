"""U of GLaS's eq. 3 and its alternatives, against dense matrices."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hrrxml.data.adjacency import adjacency, among
from hrrxml.data.bags import Bags

MEASURES = ["arithmetic", "geometric", "jaccard", "pmi"]
LABELS = 8
points = st.lists(st.sets(st.integers(0, LABELS - 2), max_size=4), min_size=1, max_size=12)


def literal(y: np.ndarray, measure: str) -> np.ndarray:
    """Pair by pair, from the definitions."""
    n, k = y.shape
    u = np.zeros((k, k))
    for i in range(k):
        for j in range(k):
            both, here, there = (y[:, i] * y[:, j]).sum(), y[:, i].sum(), y[:, j].sum()
            if both == 0:
                continue
            match measure:
                case "arithmetic":
                    u[i, j] = (both / here + both / there) / 2
                case "geometric":
                    u[i, j] = np.sqrt(both / here * both / there)
                case "jaccard":
                    u[i, j] = both / ((y[:, i] + y[:, j]) > 0).sum()
                case "pmi" if both == n:
                    u[i, j] = 1
                case "pmi":
                    pmi = np.log(n * both / (here * there)) / np.log(n / both)
                    u[i, j] = max(0, pmi)
    return u


@pytest.mark.parametrize("measure", MEASURES)
@given(sets=points)
def test_adjacency_is_its_definition(measure: str, sets: list[set[int]]) -> None:
    labels = Bags.from_lists([sorted(row) for row in sets])
    found = adjacency(labels, LABELS, measure).to_csr(LABELS).toarray()
    y = labels.to_csr(LABELS).toarray()
    np.testing.assert_allclose(found, literal(y, measure), atol=1e-6)
    assert (found == found.T).all()
    np.testing.assert_allclose(found.diagonal(), y.any(0))  # 1 for those seen, 0 for the others


@given(sets=points, chosen=st.sets(st.integers(0, LABELS - 1), min_size=1))
def test_rows_of_some_labels_are_those_of_the_whole(sets: list[set[int]], chosen: set[int]) -> None:
    u = adjacency(Bags.from_lists([sorted(row) for row in sets]), LABELS, "arithmetic")
    ids = sorted(chosen)
    expected = u.to_csr(LABELS).toarray()[np.ix_(ids, ids)]
    np.testing.assert_array_equal(among(u, torch.tensor(ids)).numpy(), expected)


def test_memory_is_that_of_the_pairs() -> None:
    """A million labels: all pairs would be terabytes."""
    labels = Bags.from_lists([[i, i + 1] for i in range(0, 1_000_000, 1000)])
    u = adjacency(labels, 1_000_001, "arithmetic")
    assert len(u.ids) == 4000
    assert among(u, torch.tensor([1000, 1001, 5000])).tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]
