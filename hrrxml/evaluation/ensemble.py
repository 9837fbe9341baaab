"""Ensembles of a run's models: rank labels by their mean score over the models."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.runtime.progress import bar
from hrrxml.search.ranking import top_k

SIZE = 3  # models per ensemble, as many as Parabel has trees


@torch.no_grad()
def rank_all(models: Sequence[Model], points: Points, k: int) -> list[Tensor]:
    """The rankings of all combinations of SIZE models, each (points, k), on the CPU."""
    parts = [list(_rank_batch(models, batch, k)) for batch in _batches(models, points)]
    return [torch.cat(rankings) for rankings in zip(*parts, strict=True)]


def _batches(models: Sequence[Model], points: Points) -> Iterator[Points]:
    size = max(1, models[0].ranked_at_once() // len(models))
    batches = torch.arange(len(points)).split(size)
    for rows in bar(batches, desc="rank ensembles", unit="batch", leave=False):
        yield points.select(rows).to(models[0].device)


def _rank_batch(models: Sequence[Model], batch: Points, k: int) -> Iterator[Tensor]:
    scores = [model.eval().scores(batch) for model in models]
    for chosen in combinations(scores, SIZE):
        yield top_k(torch.stack(chosen).mean(0), k).cpu()
