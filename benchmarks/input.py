"""Forward, backward and update of the sparse input layer: ours against torch's.

Ours is SparseLinear with RowAdam; torch's is nn.EmbeddingBag(sparse=True) with SparseAdam.
"""

from collections.abc import Callable
from itertools import cycle
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer, SparseAdam

from benchmarks import clock
from benchmarks.models import HIDDEN
from benchmarks.shapes import SEED, make_batches, shapes
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.layers.sparse_linear import SparseLinear
from hrrxml.training.row_adam import RowAdam

SHAPES = ("eurlex-4k", "wiki10-31k", "delicious-200k", "amazon-670k")
BATCHES = 4  # used in turn, so that no step has its words in the cache


def measure(shape: str = "wiki10-31k", repeats: int = 20) -> dict[str, Any]:
    torch.manual_seed(SEED)
    size = shapes()[shape]
    batches = make_batches(size, BATCHES)
    ours = SparseLinear(size.features, HIDDEN)
    bag = nn.EmbeddingBag(size.features, HIDDEN, mode="sum", sparse=True)

    def theirs(bags: Bags) -> Tensor:
        return bag(bags.ids, bags.offsets[:-1], per_sample_weights=bags.weights)

    works = {
        "ours": training(ours, RowAdam(ours.parameters(), lr=1e-3), batches),
        "sparse_adam": training(theirs, SparseAdam(bag.parameters(), lr=1e-3), batches),
    }
    times = clock.milliseconds(works, repeats)
    return {
        **times,
        "speed_up": clock.speed_up(times["sparse_adam_ms"], times["ours_ms"]),
        "features_per_point": size.features_per_point,
        **clock.conditions(repeats, features=size.features, batch=size.batch, hidden=HIDDEN),
    }


def training(
    layer: Callable[[Bags], Tensor], optimiser: Optimizer, batches: list[Points]
) -> clock.Work:
    """Each call trains the layer on the next batch."""
    gradient = torch.randn(len(batches[0]), HIDDEN)
    turns = cycle(batch.features for batch in batches)

    def step() -> None:
        optimiser.zero_grad()
        layer(next(turns)).backward(gradient)
        optimiser.step()

    return step
