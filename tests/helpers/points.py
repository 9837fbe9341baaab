"""Small random datasets."""

import torch

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points


def random_points(n: int, words: int, labels: int, generator: torch.Generator) -> Points:
    """Points of 3 to 8 words and 1 to 4 labels each; the first point has no label."""

    def bags(size: int, most: int, least: int) -> Bags:
        lists = []
        for _ in range(n):
            length = int(torch.randint(least, most + 1, (1,), generator=generator))
            lists.append(torch.randperm(size, generator=generator)[:length].tolist())
        return Bags.from_lists(lists)

    features = bags(words, 8, 3)
    weights = torch.rand(len(features.ids), generator=generator)
    labelled = bags(labels, 4, 1)
    lists = [labelled.ids[a:b].tolist() for a, b in labelled.offsets.unfold(0, 2, 1).tolist()]
    lists[0] = []
    return Points(
        features=Bags(features.ids, features.offsets, weights),
        tokens=bags(words, 8, 3),
        labels=Bags.from_lists(lists),
        n_features=words,
        n_tokens=words,
        n_labels=labels,
    )
