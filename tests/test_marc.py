"""Library catalogues: read as pymarc reads them, or refused by file and record."""

import io
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymarc import Field, Indicators, MARCReader, Record, Subfield

from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import iso2709, marc
from hrrxml.datasets.split import position
from hrrxml.runtime.errors import UserError


def record(number: str, *fields: tuple[str, str, str]) -> bytes:
    """A record by pymarc. A field is its tag, its indicators, and `a Title / b more`."""
    made = Record(force_utf8=True)
    made.add_field(Field("001", data=number))
    for tag, indicators, text in fields:
        parts = [part.split(" ", 1) for part in text.split(" / ")]
        subfields = [Subfield(code, value) for code, value in parts]
        made.add_field(Field(tag, Indicators(*indicators), subfields))
    return made.as_marc()


BOTANY = record(
    " 1 ",
    ("245", "10", "a Botanical  materia / b drugs. / c By S. Aurand"),
    ("650", " 0", "a Botany, Medical."),
    ("650", " 0", "a Homeopathy / x Materia medica. / z United States"),
    ("100", "1 ", "a Aurand, Samuel, / d 1854-"),
    ("505", "0 ", "g 1. / t Roots / r A. Gray / b not this"),
)
WAR = record(
    "2",
    ("245", "00", "a Istorii\ufe20a\ufe21 vojny / n Tom 1"),
    ("651", " 0", "a United States / x History / y Civil War, 1861-1865 / v Fiction."),
    ("600", "10", "a Lincoln, Abraham, / d 1809-1865"),
    ("655", " 7", "a United States"),  # a genre, whoever gave it
    ("650", " 2", "a a medical heading, not the Library of Congress's"),
)
CATALOGUE = [BOTANY, WAR]


def read(folder: Path, *parts: bytes, subjects: str = "facets", test: float = 0.5) -> Corpus:
    (folder / "books.mrc").write_bytes(b"".join(parts))
    return marc.read(folder, subjects=subjects, test=test)


def labelled(corpus: Corpus) -> dict[str, set[tuple[str, str]]]:
    """The labels of every document, train or test: name and key."""
    assert corpus.test is not None
    assert corpus.label_names is not None
    assert corpus.label_keys is not None
    labels = list(zip(corpus.label_names, corpus.label_keys, strict=True))
    found = {}
    for part in (corpus.train, corpus.test):
        rows = part.labels.ids.tensor_split(part.labels.offsets[1:-1])
        assert part.texts is not None
        for text, row in zip(part.texts, rows if len(part) else [], strict=True):
            found[text] = {labels[i] for i in row.tolist()}
    return found


def test_documents_and_facets(tmp_path: Path) -> None:
    assert labelled(read(tmp_path, *CATALOGUE)) == {
        "Botanical materia drugs. Aurand, Samuel, 1. Roots A. Gray": {
            ("Botany, Medical", "main"),
            ("Homeopathy", "main"),
            ("Materia medica", "topic"),
            ("United States", "place"),
        },
        "Istoriia vojny Tom 1": {
            ("United States", "main"),
            ("History", "topic"),
            ("Civil War, 1861-1865", "time"),
            ("Fiction", "form"),
            ("Lincoln, Abraham, 1809-1865", "main"),
        },
    }


def test_every_field_and_letter_that_counts(tmp_path: Path) -> None:
    """Each text names its field and letter. The document follows the order of the fields below."""
    tags = ("245", "100", "110", "700", "246", "740", "240", "490", "440", "500", "505", "520")
    letters = "abcdefghijklmnopqrstuvwxyz"
    texts = [(tag, " 0", " / ".join(f"{c} {tag}{c}" for c in letters)) for tag in reversed(tags)]
    subjects = ("600", "610", "611", "630", "650", "651", "655")
    headings = [(tag, " 0", " / ".join(f"{c} {tag}{c}" for c in letters)) for tag in subjects]
    ((document, labels),) = labelled(read(tmp_path, record("1", *texts, *headings))).items()
    read_of = {"505": "agrt"}
    assert document.split() == [f"{tag}{c}" for tag in tags for c in read_of.get(tag, "abnp")]
    kinds = {"v": "form", "x": "topic", "y": "time", "z": "place"}
    assert labels == {
        part
        for tag in subjects
        for part in [
            (" ".join(f"{tag}{c}" for c in "abcdnpqt"), "main"),
            *((f"{tag}{c}", kind) for c, kind in kinds.items()),
        ]
    }


def test_punctuation_that_only_ends_a_heading_is_cut(tmp_path: Path) -> None:
    headings = [("650", " 0", f"a {name}") for name in ("One.", "Two,", "Three ;", "Four :", "5?")]
    (labels,) = labelled(read(tmp_path, record("1", ("245", "00", "a b"), *headings))).values()
    assert {name for name, _ in labels} == {"One", "Two", "Three", "Four", "5?"}


def test_the_first_reason_counts(tmp_path: Path) -> None:
    """A record without a subject is no document: it cannot have the text of another."""
    alone = record("3", ("245", "00", "a A title"))
    assert read(tmp_path, *CATALOGUE, alone, alone).skipped == {"without a subject": 2}


def test_whole_headings(tmp_path: Path) -> None:
    found = labelled(read(tmp_path, *CATALOGUE, subjects="headings"))
    assert sorted(name for labels in found.values() for name, _ in labels) == [
        "Botany, Medical",
        "Homeopathy--Materia medica--United States",
        "Lincoln, Abraham, 1809-1865",
        "United States",
        "United States--History--Civil War, 1861-1865--Fiction",
    ]


def test_what_is_no_document_is_counted(tmp_path: Path) -> None:
    subject = ("650", " 0", "a Botany")
    parts = [
        *CATALOGUE,
        WAR.replace(b"2\x1e", b"3\x1e", 1),
        record("4", ("245", "00", "a A title")),
        record("5", ("245", "00", "a A title"), ("650", " 0", "a .")),
        record("6", subject),
        record("7", ("245", "00", "c only its author"), ("100", "1 ", "a Author"), subject),
    ]
    corpus = read(tmp_path, *parts)
    assert len(labelled(corpus)) == 2
    assert corpus.skipped == {
        "with the text of another": 1,
        "without a subject": 2,
        "without a title": 2,
    }


def test_text_in_any_script(tmp_path: Path) -> None:
    """Letters and their accents become one character, whichever way they were written."""
    titles = ["a Bibliothe\u0300que", "a Библиотека", "a 図書館", "a ספרייה", "a 📚"]
    parts = [
        record(str(i), ("245", "00", title), ("650", " 0", title)) for i, title in enumerate(titles)
    ]
    assert set(labelled(read(tmp_path, *parts))) == {
        "Bibliothèque", "Библиотека", "図書館", "ספרייה", "📚",
    }  # fmt: skip


def test_a_hash_of_the_number_chooses_the_test_set(tmp_path: Path) -> None:
    parts = [
        record(f"{i:9}", ("245", "00", f"a {i}"), ("650", " 0", "a Botany")) for i in range(200)
    ]
    corpus = read(tmp_path, *parts, test=0.2)
    expected = [str(i) for i in range(200) if position(str(i).encode()) < 0.2]
    assert corpus.test is not None
    assert corpus.test.texts == expected
    assert 20 < len(expected) < 60
    backwards = read(tmp_path, *reversed(parts), test=0.2)
    assert backwards.test is not None
    assert backwards.test.texts == expected[::-1]


DIRECTORY = BOTANY.index(b"245")


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (BOTANY[:-9], "cut short: "),
        (BOTANY[:3], "is not a record's length"),
        (b"0x" + BOTANY[2:], "is not a record's length"),
        (b"00005", "its length says 5 bytes, too few for its leader"),
        (b"00003", "its length says 3 bytes, too few for its leader"),
        (b"%05d" % (len(BOTANY) - 1) + BOTANY[5:], "no end of the record where its length"),
        (BOTANY[:9] + b" " + BOTANY[10:], "not in UTF-8, by its leader"),
        (BOTANY[:20] + b"5500" + BOTANY[24:], "not a leader of MARC 21"),
        (BOTANY[:12] + b"99999" + BOTANY[17:], "no end of the directory"),
        (BOTANY[:6] + b"\xff" + BOTANY[7:], "a leader that is not ASCII"),
        (BOTANY[:DIRECTORY] + b"\0\x80\xff" + BOTANY[DIRECTORY + 3 :], "not all digits"),
        (BOTANY.replace(b"650", b"6\xff0", 1), "a directory that is not all digits"),
        (BOTANY.replace(b"650", b"6 0", 1), "a directory that is not all digits"),
        (BOTANY[:-2] + b"." + BOTANY[-1:], "no end of the directory or of the last field"),
        (BOTANY[:10] + b"23" + BOTANY[12:], "not a leader of MARC 21"),
        (BOTANY.replace(b"Roots", b"R\xfcots"), "field 505 is not UTF-8"),
        (BOTANY.replace(b"Roots", b"R\x1eots"), "the directory does not fit the fields"),
        (BOTANY.replace(b"Roots", b"R\x1dots"), "field 505 has the end of a record inside"),
        (BOTANY.replace(b"10\x1faBo", b"1\x1faBot"), "field 245 has no two indicators"),
        (BOTANY.replace(b" 0\x1faBot", "é0\x1faBo".encode()), "field 650 has 'é0a' as indicators"),
        (BOTANY.replace(b" 0\x1faBot", b"\t0\x1faBot"), r"field 650 has '\\t0a' as indicators"),
        (BOTANY.replace(b"\x1faBot", "\x1féBo".encode()), "field 245 has '10ébc' as indicators"),
        (BOTANY.replace(b"\x1faBot", b"\x1f Bot"), "field 245 has '10 bc' as indicators"),
        (BOTANY.replace(b"Roots", b"R\0ots"), r"field 505 has the control character U\+0000"),
        (BOTANY.replace(b"Botany, M", b"Bot\x07ny, M"), r"field 650 has the .* U\+0007; .*without"),
        (BOTANY.replace(b"Roots", "R\x98ts".encode()), r"field 505 has the .* U\+0098"),
        (WAR.replace(b"2\x1e", b"\x02\x1e", 1), r"field 001 has the control character U\+0002"),
        (
            BOTANY[: DIRECTORY + 3] + b"0001" + BOTANY[DIRECTORY + 7 :],
            "the directory does not fit the fields",
        ),
        (record("", ("245", "00", "a b")), "has no number of its own; give each record one"),
        (WAR.replace(b"001", b"002", 1), "has no number of its own; give each record one"),
    ],
)
def test_damaged_records_are_named(tmp_path: Path, bad: bytes, message: str) -> None:
    with pytest.raises(UserError, match=rf"books\.mrc: record 2.*{message}"):
        read(tmp_path, WAR, bad)


def test_an_empty_subfield_is_nothing(tmp_path: Path) -> None:
    """As pymarc leaves them out, too."""
    empty = BOTANY.replace(b"\x1fbdrugs.", b"\x1f\x1fbdrug.")
    assert empty != BOTANY
    (text,) = labelled(read(tmp_path, empty))
    assert text.startswith("Botanical materia drug. Aurand")


def test_a_number_may_end_with_the_mark_of_a_subfield(tmp_path: Path) -> None:
    """As eight do in the file of the Library of Congress. It is no part of the number."""
    marked, plain = (record(n, ("245", "00", "a b"), ("650", " 0", "a c")) for n in ("7\x1f", "7"))
    for data in (marked, plain):
        corpus = read(tmp_path, data, WAR, test=position(b"7"))  # exclusive: 7 is for training
        assert "b" in (corpus.train.texts or [])
        corpus = read(tmp_path, data, WAR, test=position(b"7") + 1e-9)
        assert corpus.test is not None
        assert "b" in (corpus.test.texts or [])


def test_tabs_and_line_ends_in_a_text_are_spaces(tmp_path: Path) -> None:
    fields = ("245", "00", "a Gardens\r\nof\tWales"), ("650", " 0", "a Gardens\tWales")
    assert labelled(read(tmp_path, record("1", *fields))) == {
        "Gardens of Wales": {("Gardens Wales", "main")}
    }


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n"])
def test_line_ends_between_records_are_read_over(tmp_path: Path, end: bytes) -> None:
    whole = labelled(read(tmp_path, *CATALOGUE))
    assert labelled(read(tmp_path, end, BOTANY, end, WAR, end)) == whole
    with pytest.raises(UserError, match=rf"record 2, byte {len(BOTANY + end)}: b' 0' is not a"):
        read(tmp_path, BOTANY, end, b" 0")


def test_a_folder_without_records(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no files of MARC records"):
        marc.read(tmp_path, subjects="facets", test=0.5)


# pymarc as the oracle

CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cc"], include_characters="\t\n\r")
TEXT = st.text(CHARACTERS, max_size=12)
FIELDS = st.tuples(
    st.sampled_from(["100", "245", "650"]),
    st.text("0123 ", min_size=2, max_size=2),
    st.lists(st.tuples(st.sampled_from("abxyz9"), TEXT), min_size=1, max_size=4),
)


@given(st.lists(st.lists(FIELDS, max_size=6), max_size=4))
@settings(max_examples=50)
def test_records_are_what_pymarc_wrote(
    tmp_path_factory: pytest.TempPathFactory,
    catalogue: list[list[tuple[str, str, list[tuple[str, str]]]]],
) -> None:
    path = tmp_path_factory.getbasetemp() / "written.mrc"
    data = b""
    for fields in catalogue:
        made = Record(force_utf8=True)
        made.add_field(Field("001", data="7"))
        for tag, indicators, subfields in fields:
            made.add_field(Field(tag, Indicators(*indicators), [Subfield(*s) for s in subfields]))
        data += made.as_marc()
    path.write_bytes(data)
    found = list(iso2709.records(path, ["001", "245", "650"]))
    assert found == [
        [iso2709.Field("001", "", [("", "7")])]
        + [iso2709.Field(*field) for field in fields if field[0] in ("245", "650")]
        for fields in catalogue
    ]


def by_pymarc(data: bytes) -> list[list[iso2709.Field]]:
    """The fields as pymarc reads them, which takes no line ends between records."""
    found = []
    for made in MARCReader(io.BytesIO(re.sub(rb"(\A|\x1d)[\r\n]+", rb"\1", data))):
        assert made is not None, "pymarc refuses what was accepted"
        found.append(
            [
                iso2709.Field(field.tag, "", [("", field.data)])
                if field.control_field
                else iso2709.Field(
                    field.tag, "".join(field.indicators), [tuple(s) for s in field.subfields]
                )
                for field in made.fields
            ]
        )
    return found


WHERE = st.integers(0, len(BOTANY + WAR))
BYTES = st.one_of(
    st.sampled_from([b"\x1d", b"\x1e", b"\x1f", b"0", b"9", b""]), st.binary(max_size=3)
)


@given(st.lists(st.tuples(WHERE, st.integers(0, 3), BYTES), min_size=1, max_size=4))
@settings(max_examples=300)
def test_damaged_catalogues(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[int, int, bytes]]
) -> None:
    """They are refused by file and record, or read as pymarc reads them."""
    data = BOTANY + WAR
    for where, cut, new in damages:
        data = data[:where] + new + data[where + cut :]
    path = tmp_path_factory.getbasetemp() / "damaged.mrc"
    path.write_bytes(data)
    tags = {f"{tag:03}" for tag in range(1000)}
    try:
        found = list(iso2709.records(path, tags))
    except UserError as error:
        assert f"{path}: record " in str(error)  # noqa: PT017
        return
    assert found == [[f for f in fields if f.tag in tags] for fields in by_pymarc(data)]
