"""Find files by name in a folder and all its subfolders."""

from fnmatch import fnmatch
from pathlib import Path

from hrrxml.runtime.errors import UserError


def find(folder: Path, pattern: str) -> Path:
    """The only file whose lower-case name matches, at any depth."""
    matches = [path for path in files(folder) if fnmatch(path.name.lower(), pattern)]
    if len(matches) != 1:
        names = ", ".join(sorted(str(path.relative_to(folder)) for path in matches)) or "none"
        raise UserError(f"{folder}: expected one file {pattern}, found {names}")
    return matches[0]


def files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UserError(f"{folder}: missing; `dvc repro download` makes it")
    return sorted(path for path in folder.rglob("*") if path.is_file())
