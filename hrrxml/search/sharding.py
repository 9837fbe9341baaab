"""Search with the labels divided among processes: each searches its own; results are merged."""

from collections.abc import Callable

import torch
from torch import Tensor

from hrrxml.training.distributed import gather, processes, rank, shard

# From queries, k and a range of labels: ids and scores (queries, k or fewer), best first.
Search = Callable[[Tensor, int, slice], tuple[Tensor, Tensor]]


def labels_of_this_process(n_labels: int, unit: int = 1) -> slice:
    """This process's range of labels, a multiple of `unit` (except at the end)."""
    units = shard(-(-n_labels // unit))
    return slice(min(n_labels, units.start * unit), min(n_labels, units.stop * unit))


def top_k(
    queries: Tensor, k: int, n_labels: int, search: Search, unit: int = 1
) -> tuple[Tensor, Tensor]:
    """Ids and scores of the k best labels for this process's queries.

    Each process searches its own labels for all processes' queries. Ties go to the lower id.
    """
    if processes() == 1:
        return search(queries, k, slice(0, n_labels))
    all_queries = gather(queries)
    labels = labels_of_this_process(n_labels, unit)
    ids = torch.zeros(len(all_queries), k, dtype=torch.int64, device=queries.device)
    scores = all_queries.new_full((len(all_queries), k), -torch.inf)
    if labels.start < labels.stop and len(all_queries):
        best, values = search(all_queries, k, labels)
        ids[:, : best.shape[1]], scores[:, : best.shape[1]] = best, values
    # Gathered: (processes, all queries, k); only this process's queries are used.
    own = _own_rows(queries)
    ids = gather(ids[None])[:, own].transpose(0, 1).flatten(1)
    scores = gather(scores[None])[:, own].transpose(0, 1).flatten(1)
    order = scores.sort(dim=1, descending=True, stable=True).indices[:, : min(k, n_labels)]
    return ids.gather(1, order), scores.gather(1, order)


def _own_rows(queries: Tensor) -> slice:
    counts = gather(torch.tensor([len(queries)], device=queries.device)).tolist()
    start = sum(counts[: rank()])
    return slice(start, start + len(queries))
