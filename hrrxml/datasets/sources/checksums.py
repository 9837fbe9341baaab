"""Checksums as `algorithm:digest`, and folders that carry theirs with them."""

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hrrxml.runtime.files import write_json

MANIFEST = ".hrrxml.json"  # in an unpacked folder: the digests of its archive and its files


def digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"


def matches(path: Path, known: Collection[str]) -> bool:
    """Whether a file has one of the known checksums."""
    algorithms = {checksum.partition(":")[0] for checksum in known}
    return any(digest(path, algorithm) in known for algorithm in algorithms)


def seal(folder: Path, archive: Path, **about: Any) -> None:
    """Write down what the folder was unpacked from and how, and what is in it."""
    (folder / MANIFEST).unlink(missing_ok=True)  # of whoever packed an unpacked folder
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_json(
        folder / MANIFEST,
        {
            **about,
            "archive": [digest(archive, "md5"), digest(archive, "sha256")],
            "files": {str(path.relative_to(folder)): digest(path, "sha256") for path in files},
        },
    )


def broken_seal(folder: Path) -> str | None:
    """Why the files are not those that were sealed; None if they are."""
    try:
        files = json.loads((folder / MANIFEST).read_text())["files"]
        for name, expected in files.items():
            if not (folder / name).is_file():
                return f"{folder / name} is missing"
            if digest(folder / name, "sha256") != expected:
                return f"{folder / name} has changed since it was unpacked"
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return f"{folder / MANIFEST} is missing or damaged"
    return None
