"""Training and test accuracy side by side, epoch by epoch: GLaS's Figure 1 and Table 2."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch

from hrrxml.data.points import Points
from hrrxml.device import choose_device
from hrrxml.metrics import precision_at_k
from hrrxml.model import Model
from hrrxml.schema import HeadSettings, Train
from hrrxml.steps import Steps
from hrrxml.training import Batches, run_epoch

MOST_RANKED = 20_000  # points of either split: accuracy within 0.7 points, 19 times in 20


@dataclass(frozen=True)
class Accuracy:
    """P@1 after an epoch, percent."""

    epoch: int
    train: float
    test: float


def follow(
    model: Model, splits: Mapping[str, Points], settings: Train, rate: HeadSettings, seed: int
) -> list[Accuracy]:
    """Train as `training.fit` does, choosing nothing, and look at both splits each time."""
    device = choose_device(settings.device)
    model.to(device)
    generator = torch.Generator().manual_seed(seed)
    train = splits["train"]
    batches = Batches(train, model.encoder.work(train), settings.batch_size, generator)
    looked_at = {name: _some(splits[name], seed) for name in ("train", "test")}
    steps = Steps(model, settings, rate)
    found = []
    for epoch in range(1, settings.epochs + 1):
        steps.averaging = settings.average_from is not None and epoch >= settings.average_from
        run_epoch(steps, batches, device, f"epoch {epoch}/{settings.epochs}")
        steps.end_epoch()
        accuracy = {name: _p1(steps.result(), points) for name, points in looked_at.items()}
        found.append(Accuracy(epoch, **accuracy))
    return found


def _some(points: Points, seed: int) -> Points:
    generator = torch.Generator().manual_seed(seed)
    return points.select(torch.randperm(len(points), generator=generator)[:MOST_RANKED])


def _p1(model: Model, points: Points) -> float:
    truth = points.labels.to_csr(points.n_labels)
    return 100 * float(precision_at_k(truth, model.rank(points, 1).numpy(), 1)[0])
