"""The labels divided among processes: each searches its own, and the best of all are found."""

from collections.abc import Callable

import torch
from torch import Tensor

from hrrxml.training.distributed import gather, processes, rank, shard

# Queries, k and a stretch of labels, to ids and scores (queries, k or fewer), best first.
Search = Callable[[Tensor, int, slice], tuple[Tensor, Tensor]]


def labels_of_this_process(n_labels: int, unit: int = 1) -> slice:
    """A stretch of all labels, whole units of them."""
    units = shard(-(-n_labels // unit))
    return slice(min(n_labels, units.start * unit), min(n_labels, units.stop * unit))


def top_k(
    queries: Tensor, k: int, n_labels: int, search: Search, unit: int = 1
) -> tuple[Tensor, Tensor]:
    """Ids and scores of the k best of all labels, for this process's queries.

    Every process looks for everybody's queries among its own labels. Ties go to the lower id.
    """
    if processes() == 1:
        return search(queries, k, slice(0, n_labels))
    everyones = gather(queries)
    labels = labels_of_this_process(n_labels, unit)
    ids = torch.zeros(len(everyones), k, dtype=torch.int64, device=queries.device)
    scores = everyones.new_full((len(everyones), k), -torch.inf)
    if labels.start < labels.stop and len(everyones):
        found, values = search(everyones, k, labels)
        ids[:, : found.shape[1]], scores[:, : found.shape[1]] = found, values
    # (processes, queries, k), of which this process's queries are kept.
    own = _own_rows(queries)
    ids = gather(ids[None])[:, own].transpose(0, 1).flatten(1)
    scores = gather(scores[None])[:, own].transpose(0, 1).flatten(1)
    order = scores.sort(dim=1, descending=True, stable=True).indices[:, : min(k, n_labels)]
    return ids.gather(1, order), scores.gather(1, order)


def _own_rows(queries: Tensor) -> slice:
    counts = gather(torch.tensor([len(queries)], device=queries.device)).tolist()
    start = sum(counts[: rank()])
    return slice(start, start + len(queries))
