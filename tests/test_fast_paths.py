"""What is written for speed is what it stands for."""

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml import search
from hrrxml.codebook.circulant import Codebook
from hrrxml.data.bags import Bags
from hrrxml.layers.exact_head import SoftplusOfAll
from hrrxml.layers.sparse_linear import SparseLinear
from hrrxml.search import exact
from hrrxml.search.scratch import Scratch
from hrrxml.training.row_adam import RowAdam


def book(n_labels: int, d: int, generator: torch.Generator) -> Codebook:
    tables = Codebook.tables(n_labels, d, unitary=True, generator=generator)
    return Codebook(tables | {"bases": tables["bases"].double()})


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("n_labels", "d", "k"), [(3, 8, 5), (53, 8, 5), (530, 7, 3), (1001, 5, 5)])
def test_circulant_search_is_exact(
    n_labels: int,
    d: int,
    k: int,
    biased: bool,
    generator: torch.Generator,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact, "BLOCK", 200)  # several blocks even here
    labels = book(n_labels, d, generator)
    queries = torch.randn(6, d, generator=generator).double()
    bias = torch.randn(n_labels, generator=generator).double() if biased else None
    scores = queries @ labels.vectors(torch.arange(n_labels)).T + (0 if bias is None else bias)
    values, ids = scores.topk(min(k, n_labels))
    found, best = search.circulant(queries, labels.spectra, n_labels, k, bias)
    assert torch.equal(found, ids)
    torch.testing.assert_close(best, values, atol=1e-6, rtol=0)


@pytest.mark.parametrize("n_labels", [16, 53])
def test_softplus_of_all_and_its_gradients(
    n_labels: int, generator: torch.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact, "BLOCK", 70)
    labels = book(n_labels, 8, generator)
    inputs = [torch.randn(4, 8, generator=generator), torch.tensor(1.7)]
    inputs.append(torch.randn(n_labels, generator=generator))
    s, scale, bias = (tensor.double().requires_grad_() for tensor in inputs)
    z = scale * s @ labels.vectors(torch.arange(n_labels)).T + bias
    expected = F.softplus(z).sum()
    found = SoftplusOfAll.apply(s, scale, bias, labels.spectra)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-6)
    wanted = torch.autograd.grad(expected, (s, scale, bias))
    for ours, theirs in zip(torch.autograd.grad(found, (s, scale, bias)), wanted, strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_rows_in_any_order_and_twice(generator: torch.Generator) -> None:
    """RowAdam takes a gradient that is not coalesced as dense Adam takes its sum."""
    start = torch.randn(4, 3, generator=generator)

    def gradient() -> Tensor:
        values = torch.randn(5, 3, generator=torch.Generator().manual_seed(1))
        return torch.sparse_coo_tensor(
            torch.tensor([[2, 0, 1, 0, 3]]), values, (4, 3), check_invariants=True
        )

    ours, theirs = (torch.nn.Parameter(start.clone()) for _ in range(2))
    by_rows, dense = (
        RowAdam([ours], lr=0.1),
        torch.optim.Adam([theirs], lr=0.1, betas=(0.0, 0.999)),
    )
    for _ in range(3):
        ours.grad, theirs.grad = gradient(), gradient().to_dense()
        by_rows.step()
        dense.step()
    torch.testing.assert_close(ours, theirs)


def test_scratch_gives_the_same_memory_again() -> None:
    scratch = Scratch(torch.float32, torch.device("cpu"))
    large = scratch.shaped(3, 4)
    small = scratch.shaped(2, 3)
    assert small.shape == (2, 3)
    assert small.data_ptr() == large.data_ptr()
    assert scratch.shaped(5, 5).shape == (5, 5)


def test_gradients_of_several_batches_add_up(generator: torch.Generator) -> None:
    layer = SparseLinear(6, 3)
    bags = [
        Bags(torch.tensor(ids), torch.tensor([0, 2, 4])) for ids in ([0, 1, 1, 5], [2, 3, 3, 4])
    ]
    outer = torch.randn(2, 3, generator=generator)
    dense = torch.zeros(6, 3)
    for bag in bags:
        layer(bag).backward(outer)
        dense.index_add_(0, bag.ids, outer[bag.rows])
    torch.testing.assert_close(layer.weight.grad.to_dense(), dense)
