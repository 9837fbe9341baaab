"""A few test points in words: the text, its labels, and a model's answer."""

from collections import Counter
from typing import Any

import torch
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.datasets.names import Names

COUNT = 3
MOST_WORDS = 30  # of a text
UNKNOWN = "…"  # stands for words outside the vocabulary

# `text`, `labels`, and `predicted`: pairs of a label and whether it is right, best first.
Example = dict[str, Any]


def describe(points: Points, ranking: Tensor, names: Names) -> list[Example]:
    """COUNT points at even distances in a split: every model gets the same ones.

    `ranking` is (points, k), best label first. Prepared points have no raw texts, so a text is
    written from the words of the vocabulary. A dataset without texts has no examples.
    """
    if points.tokens is None or names.words is None:
        return []
    examples = []
    for place in (torch.arange(COUNT) * len(points) // COUNT).unique():
        point = points.select(place[None])
        assert point.tokens is not None
        right, best = point.labels.ids.tolist(), ranking[place].tolist()
        labels = _names_of({*right, *best}, names)
        examples.append(
            {
                "text": _text(point.tokens.ids.tolist(), names.words.vocabulary),
                "labels": [labels[i] for i in right],
                "predicted": [[labels[i], i in right] for i in best],
            }
        )
    return examples


def _names_of(ids: set[int], names: Names) -> dict[int, str]:
    """Plain names, except of labels among `ids` that share a name."""
    unique = names.unique_labels()
    plain = {i: (names.label_names or unique)[i] for i in ids}
    uses = Counter(plain.values())
    return {i: name if uses[name] == 1 else unique[i] for i, name in plain.items()}


def _text(tokens: list[int], vocabulary: list[str]) -> str:
    """The first words of a text. Unknown words in a row are written as one."""
    words: list[str] = []
    for token in tokens:
        word = vocabulary[token - FIRST_WORD] if token >= FIRST_WORD else UNKNOWN
        if word != UNKNOWN or words[-1:] != [UNKNOWN]:
            words.append(word)
    if len(words) > MOST_WORDS:
        words = [*words[:MOST_WORDS], UNKNOWN]
    return " ".join(words)
