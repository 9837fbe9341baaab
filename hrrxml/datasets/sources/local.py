"""Copy an archive from this machine."""

import shutil
from pathlib import Path

from hrrxml.datasets.sources.failure import SourceFailure


def copy(path: Path, archive: Path) -> None:
    if not path.is_file():
        raise SourceFailure("no such file")
    shutil.copyfile(path, archive)
