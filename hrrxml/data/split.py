"""Train, validation and test by a fixed hash of the text."""

import hashlib
from collections.abc import Sequence

SPLITS = ("train", "validation", "test")


def assign(texts: Sequence[str], *, validation: float, test: float) -> dict[str, list[int]]:
    """Indices of the texts in each split.

    The hash depends on the text alone: no random state, no order, and two points with
    the same text are never on both sides of a split.
    """
    split: dict[str, list[int]] = {name: [] for name in SPLITS}
    for index, text in enumerate(texts):
        share = position(text)
        name = "test" if share < test else "validation" if share < test + validation else "train"
        split[name].append(index)
    return split


def position(text: str) -> float:
    """Where in [0, 1) the text falls, uniformly."""
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
