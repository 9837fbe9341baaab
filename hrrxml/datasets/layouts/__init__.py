"""Read a dataset's folder as a corpus. Each layout is a module with a function `read`."""

from collections.abc import Callable
from pathlib import Path

from hrrxml.config.schema import Dataset
from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import folder, marc, medline, pecos, repository, wordnet
from hrrxml.datasets.statistics import check

READERS: dict[str, Callable[..., Corpus]] = {
    "folder": folder.read,
    "marc": marc.read,
    "medline": medline.read,
    "pecos": pecos.read,
    "repository": repository.read,
    "wordnet": wordnet.read,
}


def read(source: Path, dataset: Dataset) -> Corpus:
    """Read the corpus and check its statistics against its params.yaml entry."""
    options = dataset.layout.model_dump(exclude={"kind"})
    corpus = READERS[dataset.layout.kind](source, **options)
    check(corpus, dataset.expect, source)
    return corpus
