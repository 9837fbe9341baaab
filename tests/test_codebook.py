"""Codebooks: the same answers whether vectors are stored, learned or rolled from a few bases."""

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from hrrxml import codebook
from hrrxml.codebook import Codebook
from hrrxml.data.bags import Bags
from hrrxml.runtime import registry
from hrrxml.vsa import hrr

NAMES = registry.names("hrrxml.codebook")
sizes = st.tuples(st.integers(1, 60), st.integers(2, 17))


def make(name: str, n_labels: int, d: int, unitary: bool = True) -> tuple[Any, Tensor]:
    """A codebook in float64, and the vectors of all its labels."""
    generator = torch.Generator().manual_seed(n_labels * d)
    tables = codebook.get(name).tables(n_labels, d, unitary=unitary, generator=generator)
    book = codebook.load(name, tables).double()
    return book, book.vectors(torch.arange(n_labels)).detach()


def random_queries(n: int, d: int) -> Tensor:
    return torch.randn(n, d, generator=torch.Generator().manual_seed(n), dtype=torch.float64)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("unitary", [True, False])
@given(size=sizes)
def test_everything_follows_from_the_vectors(
    name: str, unitary: bool, size: tuple[int, int]
) -> None:
    n_labels, d = size
    book, c = make(name, n_labels, d, unitary)
    assert c.shape == (n_labels, d)
    torch.testing.assert_close(c.norm(dim=1), torch.ones(n_labels).double(), atol=1e-5, rtol=0)
    torch.testing.assert_close(book.sum(), c.sum(0), atol=1e-5, rtol=0)
    queries = random_queries(3, d)
    torch.testing.assert_close(book.scores(queries), queries @ c.T, atol=1e-5, rtol=0)
    labels = Bags.from_lists([[], [0], list(range(n_labels))])
    expected = torch.stack([torch.zeros(d).double(), c[0], c.sum(0)])
    torch.testing.assert_close(book.bundle(labels), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", ["circulant", "random"])
@given(size=sizes)
def test_bound_codebooks_hold_bound_vectors(name: str, size: tuple[int, int]) -> None:
    n_labels, d = size
    book, c = make(name, n_labels, d)
    marker = hrr.project(random_queries(1, d)[0])
    bound: Codebook = book.bound(marker)
    found = bound.vectors(torch.arange(n_labels))
    torch.testing.assert_close(found, hrr.bind(c, marker), atol=1e-6, rtol=0)


@given(size=sizes)
def test_circulant_labels_are_rolls_and_orthonormal_within_a_base(size: tuple[int, int]) -> None:
    n_labels, d = size
    book, c = make("circulant", n_labels, d)
    for label in range(n_labels):
        assert torch.equal(c[label], book.bases[label // d].roll(label % d))
    for start in range(0, n_labels, d):
        gram = c[start : start + d] @ c[start : start + d].T
        torch.testing.assert_close(gram, torch.eye(len(gram)).double(), atol=1e-5, rtol=0)


def test_circulant_labels_of_different_bases_are_as_random_ones() -> None:
    """Their inner products have a mean within 1/d of 0 and variance 1/d, as those of others."""
    _, c = make("circulant", 4000, 400)
    across = (c[:400] @ c[400:].T).flatten()
    assert abs(float(across.mean())) <= 1 / 400
    assert float(across.var()) == pytest.approx(1 / 400, rel=0.02)


def test_circulant_keeps_a_few_numbers_per_label() -> None:
    book, _ = make("circulant", 30_000, 1000)
    kept = sum(buffer.numel() for buffer in book.buffers())
    assert kept < 5 * 30_000
    assert not book.state_dict()  # the `labels` stage has them


def test_learned_gradients_have_the_rows_of_the_labels() -> None:
    book, _ = make("learned", 20, 8)
    book.vectors(torch.tensor([3, 7, 3])).sum().backward()
    (table,) = book.sparse_parameters()
    assert table.grad.coalesce().indices()[0].tolist() == [3, 7]
