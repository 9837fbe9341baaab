"""Read ISO 2709, the format in which libraries exchange their catalogues.

A record is a leader, a directory and the fields that the directory lists:

    00720cam a22002051  4500    leader: the record's length; `a` for UTF-8; where the fields begin
    245017600180650002100444    directory: tag, length and place of each field
    10↓aBotanical …↑            two indicators, then subfields: ↓, a letter and a text

↓ is the byte 1F and ↑ is 1E; the byte 1D ends a record. Lengths are bytes. Tags below 010 have a
plain text and no indicators. A record that is not exactly so is refused with its place, because one
wrong length would shift all that follows.
"""

from collections.abc import Collection, Iterator
from itertools import count
from pathlib import Path
from typing import BinaryIO, NamedTuple

from hrrxml.runtime.errors import UserError

LEADER = 24
SUBFIELD, FIELD_END, RECORD_END = b"\x1f", b"\x1e", b"\x1d"
# An entry of the directory has 3 digits for the tag, 4 for the length and 5 for the place. A field
# has 2 indicators, and 2 bytes before the text of a subfield.
SIZES = (b"22", b"4500")
CURE = "fetch the file again, or export it as UTF-8 in MARC 21"


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
                start = file.tell()
                try:
                    record = _take(file)
                    fields = _parse(record, wanted) if record else None
                except _Damage as damage:
                    place = f"{path}: record {number}, byte {start}"
                    raise UserError(f"{place}: {damage}; {CURE}") from damage
                if fields is None:
                    return
                yield fields
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error


def _take(file: BinaryIO) -> bytes:
    """The bytes of the next record; none at the end of the file."""
    begin = file.read(5)
    if not begin:
        return b""
    if len(begin) < 5 or not begin.isdigit():
        raise _Damage(f"{begin!r} is not a record's length")
    record = begin + file.read(max(0, int(begin) - 5))
    if len(record) != int(begin):
        raise _Damage(f"cut short: {len(record)} of {int(begin)} bytes")
    if len(record) <= LEADER or record[-1:] != RECORD_END:
        raise _Damage("no end of the record where its length says")
    return record


def _parse(record: bytes, wanted: Collection[bytes]) -> list[Field]:
    if record[9:10] != b"a":
        raise _Damage("not in UTF-8, by its leader")
    start = record[12:17]
    if (record[10:12], record[20:24]) != SIZES or not start.isdigit():
        raise _Damage("not a leader of MARC 21")
    directory, fields = record[LEADER : int(start) - 1], record[int(start) : -2]
    if record[int(start) - 1 : int(start)] != FIELD_END or record[-2:-1] != FIELD_END:
        raise _Damage("no end of the directory or of the last field")
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
    if RECORD_END in content:
        raise _Damage(f"field {name} has the end of a record inside")
    try:
        text = content.decode()
    except UnicodeDecodeError as error:
        raise _Damage(f"field {name} is not UTF-8") from error
    if name < "010":
        return Field(name, "", [("", text)])
    indicators, *subfields = text.split(SUBFIELD.decode())
    if len(indicators) != 2:
        raise _Damage(f"field {name} has no two indicators before its subfields")
    return Field(name, indicators, [(part[0], part[1:]) for part in subfields if part])
