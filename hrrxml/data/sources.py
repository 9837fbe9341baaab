"""Fetching an archive from the package index, and trusting it only by its checksum."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from hrrxml.errors import UserError
from hrrxml.files import replacing


def fetch_pypi(requirement: str, sha256: str, destination: Path) -> None:
    """Download the source distribution of `name==version` wherever pip works.

    pip itself checks the hash, before it runs any of the package's code for metadata.
    A file that is already there with the right checksum is kept.
    """
    if destination.exists() and checksum(destination) == sha256:
        return
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(f"{requirement} --hash=sha256:{sha256}\n")
        command = [sys.executable, "-m", "pip", "download", "--progress-bar=on"]
        command += ["--disable-pip-version-check", "--no-deps", "--no-binary=:all:"]
        command += ["--require-hashes", "--requirement", str(pinned), "--dest", folder]
        if subprocess.run(command).returncode != 0:
            raise UserError(
                f"{destination}: pip could not download {requirement} with sha256 {sha256} "
                f"(its reason is above); check the package index in `pip config list`"
            )
        pinned.unlink()
        (archive,) = Path(folder).iterdir()
        verify(archive, sha256)
        with replacing(destination) as temporary:
            temporary.write_bytes(archive.read_bytes())


def verify(path: Path, sha256: str) -> None:
    found = checksum(path)
    if found != sha256:
        raise UserError(
            f"{path}: checksum {found} instead of {sha256}: "
            f"the download is damaged or not the pinned version; delete it and rerun"
        )


def checksum(path: Path) -> str:
    if not path.exists():
        raise UserError(f"{path}: missing; `dvc repro download` makes it")
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
