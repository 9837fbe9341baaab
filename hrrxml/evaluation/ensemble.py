"""Several models of one run as one: labels ranked by the mean of their scores."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.runtime.progress import bar
from hrrxml.search.ranking import top_k

SIZE = 3  # models at a time, as Parabel has three trees


@torch.no_grad()
def rank_all(models: Sequence[Model], points: Points, k: int) -> list[Tensor]:
    """The ranking of every choice of SIZE models, (points, k) each, on the CPU."""
    parts = [list(_rank_batch(models, batch, k)) for batch in _batches(models, points)]
    return [torch.cat(rankings) for rankings in zip(*parts, strict=True)]


def _batches(models: Sequence[Model], points: Points) -> Iterator[Points]:
    size = max(1, models[0].ranked_at_once() // len(models))
    rows = torch.arange(len(points)).split(size)
    for some in bar(rows, desc="rank together", unit="batch", leave=False):
        yield points.select(some).to(models[0].device)


def _rank_batch(models: Sequence[Model], batch: Points, k: int) -> Iterator[Tensor]:
    scores = [model.eval().scores(batch) for model in models]
    for chosen in combinations(scores, SIZE):
        yield top_k(torch.stack(chosen).mean(0), k).cpu()
