"""The k best labels of each row of scores, with ties broken by id."""

from torch import Tensor


def top_k(scores: Tensor, k: int) -> Tensor:
    """Ids of the k highest scores of each row, best first; ties go to the lower id.

    `torch.topk` breaks ties arbitrarily, so rows with a tie that matters are sorted again by a
    stable sort. Returns (rows, min(k, columns)).
    """
    k = min(k, scores.shape[1])
    values, ids = scores.topk(k)
    clear = (scores >= values[:, -1:]).sum(1) == k  # none of the rest ties with the k-th
    clear &= (values.diff(dim=1) != 0).all(1)  # and no two of the k tie
    tied = ~clear
    if tied.any():
        ids[tied] = scores[tied].sort(dim=1, descending=True, stable=True).indices[:, :k]
    return ids
