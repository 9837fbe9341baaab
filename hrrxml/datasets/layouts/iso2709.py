"""Read ISO 2709, the format in which libraries exchange their catalogues.

A record is a leader, a directory and the fields that the directory lists:

    00720cam a22002051  4500    leader: the record's length; `a` for UTF-8; where the fields begin
    245017600180650002100444    directory: tag, length and place of each field
    10↓aBotanical …↑            two indicators, then subfields: ↓, a letter and a text

↓ is the byte 1F and ↑ is 1E; the byte 1D ends a record. Lengths are bytes. Tags below 010 have a
plain text and no indicators. Some programs put line ends between records; they are read over. Any
other record that is not exactly so is refused with its place, because one wrong length would shift
all that follows, and a subfield under a wrong letter would be lost.
"""

import re
from collections.abc import Collection, Iterator
from io import BufferedReader
from itertools import count
from pathlib import Path
from typing import NamedTuple

from hrrxml.runtime.errors import UserError

LEADER = 24
SUBFIELD, FIELD_END, RECORD_END = b"\x1f", b"\x1e", b"\x1d"
# An entry of the directory has 3 digits for the tag, 4 for the length and 5 for the place. A field
# has 2 indicators, and 2 bytes before the text of a subfield.
SIZES = (b"22", b"4500")
LINE_ENDS = (b"\r", b"\n")
MARKS = re.compile("[ !-~]{2}[!-~]*")  # two indicators, then the letters of subfields: ASCII
# No tabs and line ends, which are spaces in a text, and no ↓, with which some numbers end.
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1e\x7f-\x9f]")
CURE = "fetch the file again, or export it as UTF-8 in MARC 21, without control characters"


class Field(NamedTuple):
    tag: str
    indicators: str  # empty for tags below 010
    subfields: list[tuple[str, str]]  # letter and text; a plain text has no letter


class _Damage(Exception):
    """What is wrong with a record."""


def records(path: Path, tags: Collection[str]) -> Iterator[list[Field]]:
    """The fields of each record that have one of the tags, in the file's order."""
    wanted = {tag.encode() for tag in tags}
    try:
        with path.open("rb") as file:
            for number in count(1):
                if _is_at_end(file):
                    return
                start = file.tell()
                try:
                    yield _parse(_take(file), wanted)
                except _Damage as damage:
                    place = f"{path}: record {number}, byte {start}"
                    raise UserError(f"{place}: {damage}; {CURE}") from damage
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error


def _is_at_end(file: BufferedReader) -> bool:
    """Whether nothing follows but line ends, which are left behind."""
    while (following := file.peek(1)[:1]) in LINE_ENDS:
        file.read(1)
    return not following


def _take(file: BufferedReader) -> bytes:
    """The bytes of the next record."""
    begin = file.read(5)
    if len(begin) < 5 or not begin.isdigit():
        raise _Damage(f"{begin!r} is not a record's length")
    length = int(begin)
    if length <= LEADER:
        raise _Damage(f"its length says {length} bytes, too few for its leader")
    record = begin + file.read(length - 5)
    if len(record) != length:
        raise _Damage(f"cut short: {len(record)} of {length} bytes")
    if record[-1:] != RECORD_END:
        raise _Damage("no end of the record where its length says")
    return record


def _parse(record: bytes, wanted: Collection[bytes]) -> list[Field]:
    if not record[:LEADER].isascii():
        raise _Damage("a leader that is not ASCII")
    if record[9:10] != b"a":
        raise _Damage("not in UTF-8, by its leader")
    start = record[12:17]
    if (record[10:12], record[20:24]) != SIZES or not start.isdigit():
        raise _Damage("not a leader of MARC 21")
    directory, fields = record[LEADER : int(start) - 1], record[int(start) : -2]
    if record[int(start) - 1 : int(start)] != FIELD_END or record[-2:-1] != FIELD_END:
        raise _Damage("no end of the directory or of the last field")
    if directory and not directory.isdigit():
        raise _Damage("a directory that is not all digits: a damaged tag would hide its field")
    tags = [directory[at : at + 3] for at in range(0, len(directory), 12)]
    texts = fields.split(FIELD_END)
    if directory != _directory(tags, texts):
        raise _Damage("the directory does not fit the fields")
    return [_field(*pair) for pair in zip(tags, texts, strict=True) if pair[0] in wanted]


def _directory(tags: list[bytes], texts: list[bytes]) -> bytes:
    """The directory that belongs to fields which follow one another without a gap."""
    entries, place = [], 0
    for tag, text in zip(tags, texts, strict=False):  # another number of tags makes it differ
        entries.append(b"%b%04d%05d" % (tag, len(text) + 1, place))
        place += len(text) + 1
    return b"".join(entries) if len(tags) == len(texts) else b"none fits"


def _field(tag: bytes, content: bytes) -> Field:
    """A field with its texts. An empty subfield, a ↓ with nothing after it, is left out."""
    name = tag.decode()
    text = _text(name, content)
    if name < "010":
        return Field(name, "", [("", text)])
    indicators, *subfields = text.split(SUBFIELD.decode())
    if len(indicators) != 2:
        raise _Damage(f"field {name} has no two indicators before its subfields")
    parts = [(part[0], part[1:]) for part in subfields if part]
    marks = indicators + "".join(letter for letter, _ in parts)
    if not MARKS.fullmatch(marks):
        raise _Damage(f"field {name} has {marks!r} as indicators and letters, not visible ASCII")
    return Field(name, indicators, parts)


def _text(name: str, content: bytes) -> str:
    if RECORD_END in content:
        raise _Damage(f"field {name} has the end of a record inside")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _Damage(f"field {name} is not UTF-8") from error
    if control := CONTROL.search(text):
        raise _Damage(f"field {name} has the control character U+{ord(control[0]):04X}")
    return text
