"""From a dataset's folder to a corpus: one module per layout, each with a `read`."""

from collections.abc import Callable
from pathlib import Path

from hrrxml.config.schema import Dataset
from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import folder, pecos, repository, wordnet
from hrrxml.datasets.statistics import check

READERS: dict[str, Callable[..., Corpus]] = {
    "folder": folder.read,
    "pecos": pecos.read,
    "repository": repository.read,
    "wordnet": wordnet.read,
}


def read(source: Path, dataset: Dataset) -> Corpus:
    """The corpus, if it has the statistics that its registry entry promises."""
    options = dataset.layout.model_dump(exclude={"kind"})
    corpus = READERS[dataset.layout.kind](source, **options)
    check(corpus, dataset.expect, source)
    return corpus
