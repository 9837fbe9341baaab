"""Checksums as `algorithm:digest`, and folders that carry theirs with them."""

import hashlib
import json
from collections.abc import Collection
from pathlib import Path

from hrrxml.files import write_json

MANIFEST = ".hrrxml.json"  # in an unpacked folder: the digests of its archive and its files


def digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"


def matches(path: Path, known: Collection[str]) -> bool:
    """Whether a file has one of the known checksums."""
    algorithms = {checksum.partition(":")[0] for checksum in known}
    return any(digest(path, algorithm) in known for algorithm in algorithms)


def seal(folder: Path, archive: Path, origin: str) -> None:
    """Write down what the folder was unpacked from, and what is in it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    write_json(
        folder / MANIFEST,
        {
            "archive": [digest(archive, "md5"), digest(archive, "sha256")],
            "origin": origin,
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
