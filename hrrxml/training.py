"""Training: Adam on shuffled batches, the epoch chosen by validation."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor
from torch.optim import Adam, Optimizer, SparseAdam
from torch.optim.lr_scheduler import ExponentialLR

from hrrxml.data.points import Points
from hrrxml.device import choose_device
from hrrxml.errors import UserError
from hrrxml.metrics import precision_at_k
from hrrxml.model import Model
from hrrxml.progress import bar
from hrrxml.schema import Optimised, Train


@dataclass(frozen=True)
class Epoch:
    """A row of the learning curve."""

    epoch: int
    train_loss: float
    validation_p1: float  # percent
    seconds: float  # spent in training steps, validation left out


class Batches:
    """The points in a new random order each time it is iterated, in batches."""

    def __init__(self, points: Points, size: int, generator: torch.Generator) -> None:
        self.points = points
        self.size = size
        self.generator = generator

    def __len__(self) -> int:
        return math.ceil(len(self.points) / self.size)

    def __iter__(self) -> Iterator[Points]:
        order = torch.randperm(len(self.points), generator=self.generator)
        return (self.points.select(rows) for rows in order.split(self.size))


def make_deterministic(seed: int) -> None:
    """The same numbers for the same seed, on the same machine and number of threads.

    Sums whose order would depend on timing get a fixed one, where torch has it (on the
    CPU it always does; on a GPU it warns of the exceptions).
    """
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]


def fit(
    model: Model, train: Points, validation: Points, settings: Train, rate: Optimised
) -> tuple[dict[str, Tensor], list[Epoch]]:
    """The weights of the epoch with the best validation P@1, and the whole curve."""
    device = choose_device(settings.device)
    model.to(device)
    optimisers = make_optimisers(model, rate.learning_rate)
    schedules = [ExponentialLR(optimiser, gamma=rate.decay) for optimiser in optimisers]
    generator = torch.Generator().manual_seed(settings.seed)
    batches = Batches(train, settings.batch_size, generator)
    truth = validation.labels.to_csr(validation.n_labels)
    best: dict[str, Tensor] = {}
    curve: list[Epoch] = []
    for epoch in range(1, settings.epochs + 1):
        start = perf_counter()
        loss = run_epoch(model, batches, optimisers, device, f"epoch {epoch}/{settings.epochs}")
        seconds = perf_counter() - start
        for schedule in schedules:
            schedule.step()
        p1 = 100 * float(precision_at_k(truth, model.rank(validation, 1).numpy(), 1)[0])
        if not curve or p1 > max(row.validation_p1 for row in curve):
            best = {name: value.cpu().clone() for name, value in model.state_dict().items()}
        curve.append(Epoch(epoch, loss, p1, seconds))
    return best, curve


def run_epoch(
    model: Model,
    batches: Batches,
    optimisers: list[Optimizer],
    device: torch.device,
    title: str,
) -> float:
    """One pass over the batches; returns the mean loss per point."""
    model.train()
    total, points = 0.0, 0
    progress = bar(batches, desc=title, unit="batch")
    for step, batch in enumerate(progress, start=1):
        loss = model.loss(batch.to(device))
        for optimiser in optimisers:
            optimiser.zero_grad()
        loss.backward()
        for optimiser in optimisers:
            optimiser.step()
        total += loss.item() * len(batch)
        points += len(batch)
        if not math.isfinite(total):
            raise UserError(
                f"{title}, batch {step}: the loss is {loss.item()}; lower the learning rate"
            )
        if step % 20 == 0:
            progress.set_postfix(loss=f"{total / points:.4f}", refresh=False)
    return total / points


def make_optimisers(model: Model, learning_rate: float) -> list[Optimizer]:
    """Adam; its sparse form for parameters of which a batch touches a few rows."""
    sparse = model.sparse_parameters()
    known = {id(parameter) for parameter in sparse}
    dense = [p for p in model.parameters() if id(p) not in known]
    optimisers: list[Optimizer] = [Adam(dense, lr=learning_rate, fused=True)]
    if sparse:
        optimisers.append(SparseAdam(sparse, lr=learning_rate))
    return optimisers
