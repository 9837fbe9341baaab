"""From an archive to a corpus: one reader per layout."""

from pathlib import Path

from hrrxml.data import wordnet
from hrrxml.data.corpus import Corpus
from hrrxml.errors import UserError
from hrrxml.schema import Expected, WordnetLayout

READERS = {"wordnet": wordnet.read}


def read(archive: Path, layout: WordnetLayout, expect: Expected) -> Corpus:
    """The corpus, if it has the statistics that its registry entry promises."""
    options = layout.model_dump(exclude={"kind"})
    corpus = READERS[layout.kind](archive, **options)
    found = {"points": len(corpus.texts), "labels": len(corpus.label_names)}
    if found != expect.model_dump():
        raise UserError(
            f"{archive}: parsed {found}, but expected {expect.model_dump()}; "
            f"if you changed the dataset's layout in params.yaml, change its expect too"
        )
    return corpus
