"""Bags gather rows as scipy does."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import random_array

from hrrxml.data.bags import Bags


@given(st.integers(0, 2**31), st.integers(1, 12), st.lists(st.integers(0, 11), max_size=20))
def test_select_equals_scipy(seed: int, rows: int, chosen: list[int]) -> None:
    matrix = random_array((rows, 9), density=0.3, rng=np.random.default_rng(seed)).tocsr()
    chosen = [row % rows for row in chosen]
    selected = Bags.from_csr(matrix).select(torch.tensor(chosen, dtype=torch.int64))
    assert len(selected) == len(chosen)
    np.testing.assert_allclose(
        selected.to_csr(9).toarray(), matrix.toarray()[chosen].reshape(-1, 9), rtol=1e-6
    )


def test_lists_round_trip() -> None:
    bags = Bags.from_lists([[3, 1], [], [2]])
    assert bags.ids.tolist() == [3, 1, 2]
    assert bags.lengths.tolist() == [2, 0, 1]
    assert bags.rows.tolist() == [0, 0, 2]
    assert bags.to_csr(4).toarray().tolist() == [[0, 1, 0, 1], [0, 0, 0, 0], [0, 0, 1, 0]]


def test_selecting_no_rows_gives_an_empty_bag() -> None:
    empty = Bags.from_lists([])
    assert len(empty) == 0
    assert len(empty.select(torch.empty(0, dtype=torch.int64))) == 0
