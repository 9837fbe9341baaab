"""Checksums as `algorithm:digest`, and a manifest of checksums in each unpacked folder."""

import hashlib
import json
from collections.abc import Collection
from pathlib import Path
from typing import Any

from hrrxml.runtime.files import write_json

MANIFEST = ".hrrxml.json"  # holds the digests of the archive and of each file


def digest(path: Path, algorithm: str) -> str:
    with path.open("rb") as file:
        return f"{algorithm}:{hashlib.file_digest(file, algorithm).hexdigest()}"


def matches(path: Path, known: Collection[str]) -> bool:
    """Whether a file has one of the known checksums."""
    algorithms = {checksum.partition(":")[0] for checksum in known}
    return any(digest(path, algorithm) in known for algorithm in algorithms)


def seal(folder: Path, archive: Path, **about: Any) -> None:
    """Write the manifest: `about`, and the digests of the archive and of each file."""
    (folder / MANIFEST).unlink(missing_ok=True)  # one that was packed into the archive
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
    """How the files differ from the manifest; None if they are the same."""
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
