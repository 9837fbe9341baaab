"""A registered dataset as a user would have it: points to learn from, and points to test on.

The test points are the pipeline's. The points to learn from are its train and validation splits.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scipy.sparse import csr_matrix, vstack

from hrrxml.config import params, paths
from hrrxml.config.schema import Dataset
from hrrxml.datasets import layouts, sources, split
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.text import TextFeatures


@dataclass(frozen=True)
class Collection:
    """Texts or sparse features, and the labels as indicator matrices (points, labels)."""

    inputs: Any
    labels: csr_matrix
    test_inputs: Any
    test_labels: csr_matrix


def load(name: str) -> Collection:
    """Read a dataset from data/download, or fetch it into a temporary folder."""
    entry, settings = params.load_dataset(name)
    corpus = _read(name, entry)
    shares = settings.split
    parts = split.divide(corpus, validation=shares.validation, test=shares.test)
    learned = [parts["train"], parts["validation"]]
    return Collection(
        _joined([_inputs(part, corpus) for part in learned]),
        _joined([part.labels.to_csr(corpus.n_labels) for part in learned]),
        _inputs(parts["test"], corpus),
        parts["test"].labels.to_csr(corpus.n_labels),
    )


def features(found: Collection) -> tuple[csr_matrix, csr_matrix]:
    """Features to learn from, and those of the test points; texts become tf-idf of their words."""
    if not isinstance(found.inputs, list):
        return found.inputs, found.test_inputs
    words = TextFeatures(found.inputs, min_documents=2)
    train, test = words.train, words.tokens(found.test_inputs)
    width = len(words.vocabulary)
    return words.bag_of_words(train).to_csr(width), words.bag_of_words(test).to_csr(width)


def _read(name: str, entry: Dataset) -> Corpus:
    folder = paths.download(name)
    if folder.exists():
        sources.verify(folder)
        return layouts.read(folder, entry)
    with tempfile.TemporaryDirectory() as temporary:
        sources.fetch(entry, Path(temporary, name))
        return layouts.read(Path(temporary, name), entry)


def _inputs(part: Documents, corpus: Corpus) -> list[str] | csr_matrix:
    if part.texts is not None:
        return part.texts
    assert part.features is not None
    assert corpus.n_features is not None
    return part.features.to_csr(corpus.n_features)


def _joined(inputs: list[Any]) -> Any:
    first, second = inputs
    return first + second if isinstance(first, list) else vstack(inputs).tocsr()
