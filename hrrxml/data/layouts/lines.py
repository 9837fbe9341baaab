"""Text files read line by line, as their writers meant it."""

from pathlib import Path

from hrrxml.errors import UserError


def lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, without their ends.

    Only a newline ends a line: texts may hold form feeds, U+2028 and others that
    `str.splitlines` would break at, which would shift every line after them.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        number = error.object[: error.start].count(b"\n") + 1
        raise UserError(f"{path}:{number}: not UTF-8; save the file as UTF-8") from error
    return text.replace("\r\n", "\n").removesuffix("\n").split("\n") if text else []
