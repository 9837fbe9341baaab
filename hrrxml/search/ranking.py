"""The k best labels of each row of scores, the same on every run."""

from torch import Tensor


def top_k(scores: Tensor, k: int) -> Tensor:
    """Ids of the k highest scores of each row, best first; ties go to the lower id.

    `torch.topk` picks among equal scores as it likes, so rows with a tie that matters
    are ranked again by a stable sort. Returns (rows, min(k, columns)).
    """
    k = min(k, scores.shape[1])
    values, ids = scores.topk(k)
    clear = (scores >= values[:, -1:]).sum(1) == k  # nobody outside ties with the k-th
    clear &= (values.diff(dim=1) != 0).all(1)  # nor any two inside
    tied = ~clear
    if tied.any():
        ids[tied] = scores[tied].sort(dim=1, descending=True, stable=True).indices[:, :k]
    return ids
