"""Finding a layout's files in a folder, whatever the publisher called its subfolder."""

from fnmatch import fnmatch
from pathlib import Path

from hrrxml.runtime.errors import UserError


def find(folder: Path, pattern: str) -> Path:
    """The one file whose name matches, case aside, at any depth."""
    found = [path for path in files(folder) if fnmatch(path.name.lower(), pattern)]
    if len(found) != 1:
        names = ", ".join(sorted(str(path.relative_to(folder)) for path in found)) or "none"
        raise UserError(f"{folder}: expected one file {pattern}, found {names}")
    return found[0]


def files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UserError(f"{folder}: missing; `dvc repro download` makes it")
    return sorted(path for path in folder.rglob("*") if path.is_file())
