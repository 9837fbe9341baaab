"""UTF-8 in and out, whatever the locale says."""

import os
import sys
from io import TextIOWrapper


def use_utf8() -> None:
    """Make standard output and standard error write UTF-8."""
    for stream, errors in ((sys.stdout, "strict"), (sys.stderr, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def as_utf8(word: str) -> str:
    """A word of the command line, read as UTF-8 if its bytes are that."""
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


def is_text(word: str) -> bool:
    """Whether the word has only whole characters, and can be written as UTF-8."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def one_line(value: object) -> str:
    """The value as text without tabs and line ends, which separate columns and lines."""
    return " ".join(str(value).replace("\t", " ").splitlines())


def close_output() -> None:
    """Let nothing more reach standard output, so that Python's last flush cannot fail."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
