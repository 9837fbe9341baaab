"""The k best labels, the lower id first among equals."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from hrrxml.search.ranking import top_k


@given(
    st.lists(st.lists(st.integers(-2, 2), min_size=7, max_size=7), min_size=1, max_size=9),
    st.integers(1, 9),
)
def test_equals_a_sort_by_score_then_id(rows: list[list[int]], k: int) -> None:
    naive = [sorted(range(7), key=lambda i, row=row: (-row[i], i))[:k] for row in rows]
    assert top_k(torch.tensor(rows, dtype=torch.float32), k).tolist() == naive


def test_large_rows_without_ties(generator: torch.Generator) -> None:
    scores = torch.randn(50, 4000, generator=generator)
    expected = scores.argsort(dim=1, descending=True, stable=True)[:, :5]
    assert torch.equal(top_k(scores, 5), expected)
