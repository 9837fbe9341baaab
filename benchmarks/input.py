"""Forward, backward and update of the sparse input layer: ours against torch's.

Ours is SparseLinear with RowAdam; torch's is nn.EmbeddingBag(sparse=True) with SparseAdam.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer, SparseAdam

from benchmarks import clock
from benchmarks.shapes import shapes
from benchmarks.synthetic import SEED, make_batches
from hrrxml.data.bags import Bags
from hrrxml.layers.sparse_linear import SparseLinear
from hrrxml.training.row_adam import RowAdam

SHAPES = ("eurlex-4k", "wiki10-31k", "delicious-200k", "amazon-670k")
HIDDEN = 512
BATCHES = 4  # used in turn, so that no step has its words in the cache


def measure_all() -> dict[str, Any]:
    return {shape: measure(shape) for shape in SHAPES}


def measure(shape: str = "wiki10-31k", repeats: int = 20) -> dict[str, Any]:
    torch.manual_seed(SEED)
    size = shapes()[shape]
    features = [batch.features for batch in make_batches(size, BATCHES)]
    gradient = torch.randn(size.batch, HIDDEN)
    ours = SparseLinear(size.features, HIDDEN)
    theirs = _EmbeddingBag(size.features, HIDDEN)
    works = {
        "ours": _Step(ours, RowAdam(ours.parameters(), lr=1e-3), features, gradient),
        "sparse_adam": _Step(theirs, SparseAdam(theirs.parameters(), lr=1e-3), features, gradient),
    }
    times = clock.milliseconds(works, repeats)
    return {
        "ours_ms": times["ours"],
        "sparse_adam_ms": times["sparse_adam"],
        "speed_up": clock.speed_up(times["sparse_adam"], times["ours"]),
        "features": size.features,
        "features_per_point": size.features_per_point,
        "batch": size.batch,
        "hidden": HIDDEN,
        "threads": torch.get_num_threads(),
        "repeats": repeats,
    }


class _EmbeddingBag(nn.Module):
    def __init__(self, n_features: int, width: int) -> None:
        super().__init__()
        self.bag = nn.EmbeddingBag(n_features, width, mode="sum", sparse=True)

    def forward(self, bags: Bags) -> Tensor:
        return self.bag(bags.ids, bags.offsets[:-1], per_sample_weights=bags.weights)


class _Step:
    """A call trains on the next batch."""

    def __init__(
        self, layer: nn.Module, optimiser: Optimizer, batches: list[Bags], gradient: Tensor
    ) -> None:
        self.layer, self.optimiser = layer, optimiser
        self.batches, self.gradient = batches, gradient
        self.taken = 0

    def __call__(self) -> None:
        self.optimiser.zero_grad()
        self.layer(self.batches[self.taken % len(self.batches)]).backward(self.gradient)
        self.optimiser.step()
        self.taken += 1
