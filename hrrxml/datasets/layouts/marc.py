"""A library's catalogue in MARC 21: predict a book's subjects from its description.

A document is a record's title, then its names, further titles and series, notes, contents and
summary. Its labels are the subject headings of the Library of Congress, and genres. A heading is a
main part and subdivisions, such as `United States`, `History`, `Civil War, 1861-1865`. As `facets`,
each part is a label, and each kind of part has its own labels; as `headings`, whole headings are.

Of records with equal documents, the first is kept. A hash of the record's number chooses the test
set.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from hrrxml.data.bags import Bags
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts import iso2709
from hrrxml.datasets.layouts.find import files
from hrrxml.datasets.layouts.iso2709 import Field
from hrrxml.datasets.split import position
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

NUMBER, TITLE = "001", "245"
# In the order of the document; numbers are MARC's tags.
TEXTS = dict.fromkeys(
    (TITLE, "100", "110", "700", "246", "740", "240", "490", "440", "500", "505", "520"), "abnp"
) | {"505": "agtr"}
SUBJECTS = ("600", "610", "611", "630", "650", "651")
GENRE = "655"
LIBRARY_OF_CONGRESS = "0"  # second indicator: whose headings these are
MAIN = "abcdnpqt"
KINDS = {"v": "form", "x": "topic", "y": "time", "z": "place"}  # of subdivisions
# These join two letters of romanised Cyrillic. As no part of a word, they would split it.
HALF_MARKS = dict.fromkeys(range(0xFE20, 0xFE30))

Part = tuple[str, str]  # a text, and its kind: one of KINDS or `main`


def read(folder: Path, *, subjects: str, test: float) -> Corpus:
    """Read every file of a folder; `subjects` is `facets` or `headings`, `test` a share."""
    sources = [path for path in files(folder) if not path.name.startswith(".")]
    if not sources:
        raise UserError(f"{folder}: no files of MARC records")
    skipped: Counter[str] = Counter()
    documents: dict[str, tuple[str, set[Part]]] = {}  # text → record's number, labels
    for number, text, headings in _described(sources):
        labels = _facets(headings) if subjects == "facets" else _whole(headings)
        reason = "without a title" if not text else "without a subject" if not labels else None
        if reason is None and text in documents:
            reason = "with the text of another"
        if reason is None:
            documents[text] = (number, labels)
        else:
            skipped[reason] += 1
    return _split(documents, test, dict(skipped))


def _split(
    documents: dict[str, tuple[str, set[Part]]], test: float, skipped: dict[str, int]
) -> Corpus:
    names = sorted({label for _, labels in documents.values() for label in labels})
    ids = {label: i for i, label in enumerate(names)}
    rows = [sorted(ids[label] for label in labels) for _, labels in documents.values()]
    everything = Documents(Bags.from_lists(rows), texts=list(documents))
    tested = [position(number.encode()) < test for number, _ in documents.values()]
    return Corpus(
        train=everything.select([row for row, is_test in enumerate(tested) if not is_test]),
        test=everything.select([row for row, is_test in enumerate(tested) if is_test]),
        n_labels=len(names),
        label_names=[text for text, _ in names],
        label_keys=[kind for _, kind in names],
        skipped=skipped,
    )


def _described(sources: Iterable[Path]) -> Iterator[tuple[str, str, list[list[Part]]]]:
    """Each record's number, document and headings. Without a title, the document is empty."""
    tags = {NUMBER, *TEXTS, *SUBJECTS, GENRE}
    for source in sources:
        records = bar(iso2709.records(source, tags), desc=f"parse {source.name}", unit="record")
        for place, record in enumerate(records, start=1):
            numbers = [field.subfields[0][1].strip() for field in record if field.tag == NUMBER]
            if len(numbers) != 1 or not numbers[0]:
                cure = "give each record one field 001"
                raise UserError(f"{source}: record {place} has no number of its own; {cure}")
            yield numbers[0], _document(record), _headings(record)


def _document(record: list[Field]) -> str:
    """The texts of the fields in the order of TEXTS, if one of them is a title."""
    texts = {
        wanted: " ".join(_texts(field, letters) for field in record if field.tag == wanted)
        for wanted, letters in TEXTS.items()
    }
    if not texts[TITLE].strip():
        return ""
    return _plain(" ".join(texts.values()).translate(HALF_MARKS))


def _headings(record: list[Field]) -> list[list[Part]]:
    """The parts of each heading, of which none is empty."""
    fields = [
        field
        for field in record
        if field.tag == GENRE
        or (field.tag in SUBJECTS and field.indicators[1] == LIBRARY_OF_CONGRESS)
    ]
    return [parts for parts in map(_parts, fields) if parts]


def _parts(field: Field) -> list[Part]:
    divided = [(text, KINDS[letter]) for letter, text in field.subfields if letter in KINDS]
    parts = [(_label(text), kind) for text, kind in [(_texts(field, MAIN), "main"), *divided]]
    return [(text, kind) for text, kind in parts if text]


def _facets(headings: list[list[Part]]) -> set[Part]:
    return {part for parts in headings for part in parts}


def _whole(headings: list[list[Part]]) -> set[Part]:
    return {("--".join(text for text, _ in parts), "main") for parts in headings}


def _texts(field: Field, letters: str) -> str:
    return " ".join(text for letter, text in field.subfields if letter in letters)


def _label(text: str) -> str:
    """Without the punctuation that only ends a heading: `Homeopathy.` is `Homeopathy`."""
    return _plain(text).rstrip(" .,;:")


def _plain(text: str) -> str:
    """With single spaces, and letters and their accents as one character where Unicode has it."""
    return " ".join(unicodedata.normalize("NFC", text).split())
