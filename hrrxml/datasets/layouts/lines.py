"""Read text files line by line."""

import codecs
from pathlib import Path

from hrrxml.runtime.errors import UserError


def lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, without their newlines.

    Only a newline ends a line. `str.splitlines` would also split at form feeds and U+2028,
    which occur inside texts, and would shift every later line.
    """
    texts = []
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                line = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
                end = b"\r\n" if line.endswith(b"\r\n") else b"\n"
                texts.append(line.removesuffix(end).decode())
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}:{number}: not UTF-8; save the file as UTF-8") from error
    return texts
