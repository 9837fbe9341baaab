"""Split documents into train, validation and test by a fixed hash of their content."""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import pairwise

from hrrxml.data.points import SPLITS
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.runtime.errors import UserError


def divide(corpus: Corpus, *, validation: float, test: float) -> dict[str, Documents]:
    """The documents of each split. If the publisher gives a test set, it is kept."""
    if corpus.test is None:
        rows = assign(contents(corpus.train), validation=validation, test=test)
        parts = {name: corpus.train.select(rows[name]) for name in SPLITS}
    else:
        rows = assign(contents(corpus.train), validation=validation, test=0)
        parts = {name: corpus.train.select(rows[name]) for name in ("train", "validation")}
        parts["test"] = corpus.test
    for name, part in parts.items():
        if len(part) == 0:
            cure = f"raise split.{name}" if name != "train" else "lower the shares in split"
            raise UserError(f"the {name} split has no documents: {cure}, or add documents")
    return parts


def contents(documents: Documents) -> Iterator[bytes]:
    """The bytes that decide each document's split: its text or its features."""
    if documents.texts is not None:
        yield from (text.encode() for text in documents.texts)
        return
    assert documents.features is not None
    assert documents.features.weights is not None
    offsets = documents.features.offsets.tolist()
    ids = documents.features.ids.numpy()
    weights = documents.features.weights.numpy()
    for start, end in pairwise(offsets):
        yield ids[start:end].tobytes() + weights[start:end].tobytes()


def assign(contents: Iterable[bytes], *, validation: float, test: float) -> dict[str, list[int]]:
    """Indices of the documents in each split.

    The hash depends only on the content, not on a random state or on the order. Equal
    documents are always in the same split.
    """
    split: dict[str, list[int]] = {name: [] for name in SPLITS}
    for index, content in enumerate(contents):
        share = position(content)
        name = "test" if share < test else "validation" if share < test + validation else "train"
        split[name].append(index)
    return split


def position(content: bytes) -> float:
    """A hash of the content, uniform in [0, 1)."""
    digest = hashlib.sha256(content).digest()
    return int.from_bytes(digest[:6], "big") / 2**48
