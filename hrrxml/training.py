"""Training: Adam on shuffled batches, the epoch chosen by validation."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.device import choose_device
from hrrxml.errors import UserError
from hrrxml.metrics import precision_at_k
from hrrxml.model import Model
from hrrxml.progress import bar
from hrrxml.schema import HeadSettings, Train
from hrrxml.steps import Steps


@dataclass(frozen=True)
class Epoch:
    """A row of the learning curve."""

    epoch: int
    train_loss: float
    validation_p1: float  # percent
    seconds: float  # spent in training steps, validation left out
    tokens_per_second: float | None  # where texts are read


class Batches:
    """The points in a new random order each time it is iterated, in batches.

    Where `work` differs between points (the lengths of texts), those with about as much of it
    come together: the random order is sorted within groups of WINDOW batches, and the batches
    are shuffled again.
    """

    WINDOW = 32

    def __init__(self, points: Points, work: Tensor, size: int, generator: torch.Generator) -> None:
        self.points = points
        self.work = work
        self.size = size
        self.generator = generator

    def __len__(self) -> int:
        return math.ceil(len(self.points) / self.size)

    def __iter__(self) -> Iterator[Points]:
        return (self.points.select(rows) for rows in self._rows())

    def _rows(self) -> list[Tensor]:
        order = torch.randperm(len(self.points), generator=self.generator)
        if not self.work.any():
            return list(order.split(self.size))
        groups = order.split(self.size * self.WINDOW)
        order = torch.cat([group[self.work[group].argsort(stable=True)] for group in groups])
        batches = order.split(self.size)
        return [batches[i] for i in torch.randperm(len(batches), generator=self.generator)]


def make_deterministic(seed: int) -> None:
    """The same numbers for the same seed, on the same machine and number of threads.

    Sums whose order would depend on timing get a fixed one, where torch has it (on the
    CPU it always does; on a GPU it warns of the exceptions).
    """
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]


def fit(
    model: Model,
    train: Points,
    validation: Points,
    settings: Train,
    rate: HeadSettings,
    seed: int,
) -> tuple[dict[str, Tensor], list[Epoch]]:
    """The weights of the epoch with the best validation P@1, and the whole curve."""
    device = choose_device(settings.device)
    model.to(device)
    generator = torch.Generator().manual_seed(seed)
    batches = Batches(train, model.encoder.work(train), settings.batch_size, generator)
    tokens = int(batches.work.sum())
    steps = Steps(model, settings, rate)
    truth = validation.labels.to_csr(validation.n_labels)
    best: dict[str, Tensor] = {}
    curve: list[Epoch] = []
    for epoch in range(1, settings.epochs + 1):
        steps.averaging = settings.average_from is not None and epoch >= settings.average_from
        start = perf_counter()
        loss = run_epoch(steps, batches, device, f"epoch {epoch}/{settings.epochs}")
        seconds = perf_counter() - start
        steps.end_epoch()
        result = steps.result()
        p1 = 100 * float(precision_at_k(truth, result.rank(validation, 1).numpy(), 1)[0])
        if not curve or p1 > max(row.validation_p1 for row in curve):
            best = {name: value.cpu().clone() for name, value in result.state_dict().items()}
        curve.append(Epoch(epoch, loss, p1, seconds, tokens / seconds if tokens else None))
    return best, curve


def run_epoch(steps: Steps, batches: Batches, device: torch.device, title: str) -> float:
    """One pass over the batches; returns the mean loss per point."""
    steps.model.train()
    total, points = 0.0, 0
    progress = bar(batches, desc=title, unit="batch")
    for step, batch in enumerate(progress, start=1):
        loss = steps.take(batch.to(device))
        total += loss * len(batch)
        points += len(batch)
        if not math.isfinite(total):
            raise UserError(f"{title}, batch {step}: the loss is {loss}; lower the learning rate")
        if step % 20 == 0:
            progress.set_postfix(loss=f"{total / points:.4f}", refresh=False)
    return total / points
