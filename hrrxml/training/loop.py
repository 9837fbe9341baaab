"""Training: Adam on shuffled batches; the epoch that ranks held-out points best is kept.

An interrupted training resumes from its checkpoint, and ends with the same bits.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter

import torch
from torch import Tensor

from hrrxml.config.schema import Train
from hrrxml.data.points import Points
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.heads.base import Settings as HeadSettings
from hrrxml.model import Model
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar
from hrrxml.training import distributed
from hrrxml.training.checkpoint import Checkpoint, State
from hrrxml.training.step import Steps

Judge = Callable[[Model, Points], float]


@dataclass(frozen=True)
class Epoch:
    """A row of the learning curve."""

    epoch: int
    train_loss: float
    p1: dict[str, float]  # percent, for each ranked split
    seconds: float  # in training steps, without ranking
    tokens_per_second: float | None  # None if the encoder reads no texts
    validation_loss: float | None = None  # None if the epoch is not chosen by it
    judged: float | None = None  # what the caller's judge says of the first split, in percent
    watched: dict[str, float] = field(default_factory=dict)  # what the head reports of itself

    def as_dict(self, p1: str) -> dict[str, float | None]:
        """A flat dict; `p1` is the key of a split's P@1, such as `{}_p1`."""
        row: dict[str, float | None] = {"epoch": self.epoch, "train_loss": self.train_loss}
        row |= {p1.format(split): value for split, value in self.p1.items()}
        if self.validation_loss is not None:
            row["validation_loss"] = self.validation_loss
        if self.judged is not None:
            row["judged"] = self.judged
        row |= self.watched
        return row | {"seconds": self.seconds, "tokens_per_second": self.tokens_per_second}

    def quality(self) -> float:
        """What the best epoch has most of: P@1 on the first split, or the least loss."""
        if self.judged is not None:
            return self.judged
        if self.validation_loss is not None:
            return -self.validation_loss
        return next(iter(self.p1.values()), 0.0)


def best_epoch(curve: Sequence[Epoch]) -> Epoch:
    """The epoch whose weights are kept: the first of those with the best quality."""
    return max(curve, key=Epoch.quality)


def fit(
    model: Model,
    train: Points,
    ranked: Mapping[str, Points],
    settings: Train,
    rate: HeadSettings,
    seed: int,
    checkpoint: Checkpoint | None = None,
    judge: Judge | None = None,
) -> tuple[dict[str, Tensor], list[Epoch]]:
    """Train. Returns the weights of the best epoch, and the curve.

    The best epoch has the best P@1 on the first split, or the least loss on it
    (`settings.epoch_by`). `settings.patience` ends the training after this many epochs without a
    better one. If there is no split to rank, the last epoch counts as the best. A `judge` looks at
    the first split instead of `epoch_by`: the best epoch is the one that it rates highest.
    """
    training = Training(model, train, settings, rate, seed, judge)
    if checkpoint is not None and (state := checkpoint.load()) is not None:
        training.restore(state)
    distributed.check_equal(len(training.curve), training.batch)
    while len(training.curve) < settings.epochs and not training.has_stalled():
        training.run_epoch(checkpoint)
        training.end_epoch(ranked)
        if checkpoint is not None:
            checkpoint.keep(training.state)
    if checkpoint is not None:
        checkpoint.save(training.outcome)
    return training.best, training.curve


class Training:
    """The state of a training: everything that a checkpoint contains."""

    def __init__(
        self,
        model: Model,
        train: Points,
        settings: Train,
        rate: HeadSettings,
        seed: int,
        judge: Judge | None = None,
    ) -> None:
        self.device = choose_device(settings.device)
        self.settings, self.judge = settings, judge
        model.to(self.device)
        distributed.broadcast_weights(model)
        self.steps = Steps(model, settings, rate)
        generator = torch.Generator().manual_seed(seed)
        self.batches = Batches(train, model.encoder.work(train), settings.batch_size, generator)
        self.best: dict[str, Tensor] = {}
        self.curve: list[Epoch] = []
        # The current epoch
        self.batch = 0  # number of finished batches
        self.total_loss, self.points, self.seconds = 0.0, 0, 0.0

    def run_epoch(self, checkpoint: Checkpoint | None) -> None:
        """One pass over the batches, or the rest of one after a resume."""
        epoch, epochs = len(self.curve) + 1, self.settings.epochs
        average_from = self.settings.average_from
        self.steps.averaging = average_from is not None and epoch >= average_from
        self.steps.model.train()
        start = perf_counter()
        rows = self.batches.draw()
        title = f"epoch {epoch}/{epochs}"
        with bar(None, desc=title, total=len(rows), initial=self.batch, unit="batch") as progress:
            for chosen in rows[self.batch :]:
                self._step(self.batches.points.select(chosen), title)
                now = perf_counter()
                self.seconds, start = self.seconds + now - start, now
                progress.update()
                if self.batch % 20 == 0:
                    loss = f"{self.total_loss / self.points:.4f}"
                    progress.set_postfix(loss=loss, refresh=False)
                if checkpoint is not None and self.batch < len(rows):
                    checkpoint.keep(self.state)
                    start = perf_counter()

    def _step(self, batch: Points, title: str) -> None:
        loss = self.steps.take(batch.to(self.device))
        self.batch += 1
        self.points += len(batch)
        self.total_loss += loss * len(batch)
        if not math.isfinite(self.total_loss):
            raise UserError(
                f"{title}, batch {self.batch}: the loss is {loss}; lower the learning rate"
            )

    def end_epoch(self, ranked: Mapping[str, Points]) -> None:
        """Rank the splits, add a row to the curve, and prepare the next epoch."""
        self.steps.end_epoch()
        result = self.steps.result()
        tokens = int(self.batches.work.sum())
        first = next(iter(ranked.values())) if ranked else None
        row = Epoch(
            epoch=len(self.curve) + 1,
            train_loss=self.total_loss / self.points,
            p1={name: _p1(result, points) for name, points in ranked.items()},
            seconds=self.seconds,
            tokens_per_second=tokens / self.seconds if tokens else None,
            watched=result.head.watch(),
            **({} if first is None else self._judge(result, first)),
        )
        self.curve.append(row)
        if not ranked or row is best_epoch(self.curve):
            self.best = {name: value.cpu().clone() for name, value in result.state_dict().items()}
        self.batch, self.total_loss, self.points, self.seconds = 0, 0.0, 0, 0.0
        self.batches.drawn_from = self.batches.generator.get_state()

    def _judge(self, model: Model, points: Points) -> dict[str, float]:
        """By what the epochs are compared, if it is not P@1."""
        if self.judge is not None:
            return {"judged": self.judge(model, points)}
        if self.settings.epoch_by == "loss":
            return {"validation_loss": self._mean_loss(model, points)}
        return {}

    @torch.no_grad()
    def _mean_loss(self, model: Model, points: Points) -> float:
        """The mean loss over points, without dropout."""
        model.eval()
        total = 0.0
        for rows in torch.arange(len(points)).split(self.settings.batch_size):
            part = distributed.part(points.select(rows).to(self.device))
            loss = model.head.loss(model.encode(part), part)
            total += distributed.total(loss.item()) * len(rows)
        return total / len(points)

    def has_stalled(self) -> bool:
        """Whether the last `patience` epochs were not better than an earlier one."""
        patience = self.settings.patience
        if patience is None or not self.curve or not self.curve[0].p1:
            return False
        return len(self.curve) - best_epoch(self.curve).epoch >= patience

    def outcome(self) -> State:
        """What remains of the training at its end: the best weights and the curve."""
        return {"best": self.best, "curve": [asdict(row) for row in self.curve]}

    def state(self) -> State:
        random = [torch.get_rng_state()]
        if self.device.type == "cuda":
            random.append(torch.cuda.get_rng_state(self.device))
        return self.outcome() | {
            "steps": self.steps.state(),
            "order": self.batches.drawn_from,
            "random": random,
            "epoch": [self.batch, self.total_loss, self.points, self.seconds],
        }

    def restore(self, state: State) -> None:
        self.best = state["best"]
        self.curve = [Epoch(**row) for row in state["curve"]]
        if "steps" not in state:
            return  # the training had ended: the state is its outcome
        self.steps.restore(state["steps"])
        self.batches.generator.set_state(state["order"])
        torch.set_rng_state(state["random"][0])
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(state["random"][1], self.device)
        self.batch, self.total_loss, self.points, self.seconds = state["epoch"]


class Batches:
    """The points in a new random order for each epoch, in batches.

    `work` is the length of each text, or all zeros. To save padding, a batch has texts of similar
    length: the random order is sorted by `work` within groups of WINDOW batches, and the batches
    are shuffled again.
    """

    WINDOW = 32

    def __init__(self, points: Points, work: Tensor, size: int, generator: torch.Generator) -> None:
        self.points = points
        self.work = work
        self.size = size
        self.generator = generator
        self.drawn_from = generator.get_state()  # before the last order was drawn

    def draw(self) -> list[Tensor]:
        """The indices of the points of each batch."""
        self.drawn_from = self.generator.get_state()
        order = torch.randperm(len(self.points), generator=self.generator)
        if not self.work.any():
            return list(order.split(self.size))
        groups = order.split(self.size * self.WINDOW)
        order = torch.cat([group[self.work[group].argsort(stable=True)] for group in groups])
        batches = order.split(self.size)
        return [batches[i] for i in torch.randperm(len(batches), generator=self.generator)]


def _p1(model: Model, points: Points) -> float:
    truth = points.labels.to_csr(points.n_labels)
    return 100 * float(precision_at_k(truth, model.rank(points, 1).numpy(), 1)[0])
