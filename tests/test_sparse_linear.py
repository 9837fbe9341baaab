"""The sparse layer and its optimiser compute what dense ones would."""

import pytest
import torch
from helpers.points import random_points
from torch import Tensor
from torch.optim import Adam

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.layers.sparse_linear import SparseLinear
from hrrxml.training.row_adam import RowAdam

WORDS = 30


def make(width: int = 4) -> SparseLinear:
    layer = SparseLinear(WORDS, width).double()
    with torch.no_grad():
        layer.weight.copy_(torch.randn(WORDS, width, generator=torch.Generator().manual_seed(0)))
    return layer


def dense(bags: Bags) -> Tensor:
    return torch.from_numpy(bags.to_csr(WORDS).toarray()).double()


def test_product_and_gradient_are_the_dense_ones(points: Points) -> None:
    layer = make()
    weight = layer.weight.detach().clone().requires_grad_()
    outer = torch.randn(len(points), 4, generator=torch.Generator().manual_seed(1)).double()
    expected = dense(points.features) @ weight
    torch.testing.assert_close(layer(points.features), expected, atol=1e-6, rtol=1e-6)
    expected.backward(outer)
    layer(points.features).backward(outer)
    found = layer.weight.grad
    assert found is not None
    assert weight.grad is not None
    torch.testing.assert_close(found.to_dense(), weight.grad, atol=1e-6, rtol=1e-6)


def test_the_gradient_has_each_feature_of_the_batch_once(points: Points) -> None:
    layer = make()
    batch = points.features.select(torch.tensor([1, 2, 5]))
    layer(batch).sum().backward()
    assert layer.weight.grad is not None
    rows = layer.weight.grad._indices()[0].tolist()
    assert rows == sorted(set(batch.ids.tolist()))


def test_rows_without_features_and_features_without_weights() -> None:
    layer = make()
    bags = Bags.from_lists([[], [3, 5], []])
    bags = bags.select(torch.arange(3))
    expected = torch.stack([0 * layer.weight[3], layer.weight[3] + layer.weight[5]])[[0, 1, 0]]
    torch.testing.assert_close(layer(bags), expected)
    layer(bags.select(torch.tensor([0]))).sum().backward()
    assert layer.weight.grad is not None
    assert layer.weight.grad._nnz() == 0


def sparse(gradient: Tensor) -> Tensor:
    """The rows that are not zero."""
    rows = gradient.any(1).nonzero()[:, 0]
    return torch.sparse_coo_tensor(
        rows[None], gradient[rows], gradient.shape, check_invariants=True
    )


@pytest.mark.parametrize("share", [0.02, 0.5, 1.0])
def test_rows_are_updated_as_by_dense_adam(share: float) -> None:
    """Whether a step touches all rows or a few, and some never: not a number is another."""
    generator = torch.Generator().manual_seed(0)
    start = torch.randn(1500, 3, generator=generator, dtype=torch.float64)  # several blocks
    ours, theirs = start.clone().requires_grad_(), start.clone().requires_grad_()
    row_adam, adam = RowAdam([ours], lr=0.1), Adam([theirs], lr=0.1, betas=(0.0, 0.999))
    for _ in range(40):
        theirs.grad = torch.randn(1500, 3, generator=generator, dtype=torch.float64)
        theirs.grad[torch.rand(1500, generator=generator) >= share] = 0
        ours.grad = sparse(theirs.grad)
        row_adam.step()
        adam.step()
        torch.testing.assert_close(ours, theirs)


def test_each_group_has_its_own_rate() -> None:
    slow, fast = (torch.zeros(2, 2).requires_grad_() for _ in range(2))
    optimiser = RowAdam([{"params": [slow]}, {"params": [fast], "lr": 0.5}], lr=0.1)
    slow.grad = fast.grad = sparse(torch.tensor([[1.0, 1.0], [0.0, 0.0]]))
    optimiser.step()
    torch.testing.assert_close(slow.detach(), torch.tensor([[-0.1, -0.1], [0, 0]]))
    torch.testing.assert_close(fast.detach(), torch.tensor([[-0.5, -0.5], [0, 0]]))


def test_thinned_bags_keep_their_sums_on_average(generator: torch.Generator) -> None:
    bags = random_points(300, WORDS, 12, generator).features
    torch.manual_seed(0)
    thin = bags.thin(0.7)
    assert len(thin) == len(bags)
    assert len(thin.ids) / len(bags.ids) == pytest.approx(0.7, abs=0.05)
    whole, part = bags.to_csr(WORDS), thin.to_csr(WORDS)
    assert part.sum() == pytest.approx(whole.sum(), rel=0.1)
    kept = part.nonzero()
    torch.testing.assert_close(
        torch.tensor(part[kept]), torch.tensor(whole[kept] / 0.7), rtol=1e-5, atol=0
    )
