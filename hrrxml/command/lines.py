"""Lines of UTF-8 text from a file or a pipe, as soon as they arrive."""

import codecs
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

from hrrxml.runtime.errors import UserError

AT_ONCE = 2**20  # bytes; a pipe gives what it has, which may be one line
LONGEST = 2**26  # bytes; refuses a file without line ends before it fills the memory

Line = tuple[int, str]  # its number, counted from 1, and its text


def open_input(name: str) -> AbstractContextManager[BinaryIO]:
    """The file of this name, to read; `-` is standard input."""
    return nullcontext(sys.stdin.buffer) if name == "-" else Path(name).open("rb")


def shown(name: str) -> str:
    """The name of an input in a message."""
    return "standard input" if name == "-" else name


def blocks(file: BinaryIO, name: str) -> Iterator[list[Line]]:
    """Whole lines, block by block. A block holds what has arrived, about AT_ONCE bytes at most.

    Only a newline ends a line: form feeds and U+2028 occur inside texts.
    """
    first = 1
    for content in _whole_lines(file, name):
        if first == 1:
            content = content.removeprefix(codecs.BOM_UTF8)
        rows = content.removesuffix(b"\n").split(b"\n")
        yield [(first + i, _decode(row, first + i, name)) for i, row in enumerate(rows)]
        first += len(rows)


def _whole_lines(file: BinaryIO, name: str) -> Iterator[bytes]:
    parts: list[bytes] = []  # of a line without its end
    size = 0
    while data := file.read1(AT_ONCE):  # type: ignore[attr-defined]  # of every buffered file
        end = data.rfind(b"\n") + 1
        if end:
            yield b"".join([*parts, data[:end]])
            parts, size = [], 0
        parts.append(data[end:])
        size += len(data) - end
        if size > LONGEST:
            raise UserError(f"{name}: a line of over {LONGEST >> 20} MB; give a text file")
    if size:
        yield b"".join(parts)


def _decode(row: bytes, number: int, name: str) -> str:
    try:
        return row.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise UserError(
            f"{name}:{number}: not UTF-8 (byte {error.start + 1} of the line); save it as UTF-8"
        ) from error
