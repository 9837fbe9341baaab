"""Unpack untrusted archives: no path outside the folder, no links, a size limit."""

import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatch
from functools import partial
from lzma import LZMAError
from pathlib import Path, PurePosixPath
from typing import IO, Any

from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.progress import bytes_bar

LARGEST = 50 * 2**30  # unpacked bytes: several times the largest dataset of the papers
MOST_FILES = 10_000
PIECE = 2**20

DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError,
    ValueError, RuntimeError, OverflowError, IndexError, KeyError,
)  # fmt: skip


def refuse_page(archive: Path) -> None:
    """Refuse an HTML page. Servers often send sign-in or quota pages."""
    with archive.open("rb") as file:
        beginning = file.read(200).lstrip().lower()
    if beginning.startswith((b"<!doctype", b"<html", b"<?xml")):
        archive.unlink()
        raise SourceFailure("an HTML page instead of an archive (a sign-in or quota page?)")


def check_is_archive(archive: Path) -> None:
    """Refuse a file that is not an archive.

    This reads headers of any size into memory. So a known checksum is compared before.
    """
    if not _is_tar(archive) and not zipfile.is_zipfile(archive):
        archive.unlink()
        raise SourceFailure("not a complete zip or tar archive")


def _is_tar(archive: Path) -> bool:
    try:
        return tarfile.is_tarfile(archive)
    except (OSError, *DAMAGED):  # damaged compression
        return False


def unpack(archive: Path, folder: Path, patterns: Sequence[str]) -> None:
    """Unpack the files whose names match one of the patterns into `folder`."""
    budget = _Budget()
    try:
        with bytes_bar("unpack", None) as progress:
            for name, open_member in _members(archive):
                if any(fnmatch(name, pattern) for pattern in patterns):
                    budget.files += 1
                    budget.check()
                    _write(open_member, folder / _safe(name), budget, progress)
    except DAMAGED as error:
        raise SourceFailure(f"the archive is damaged ({error})") from error
    if budget.files == 0:
        raise SourceFailure(f"the archive has no {' or '.join(patterns)}")


class _Budget:
    """Counts what was really unpacked. The sizes in the archive are not trusted."""

    files = 0
    bytes = 0

    def check(self) -> None:
        if self.bytes > LARGEST or self.files > MOST_FILES:
            raise SourceFailure(f"unpacks to more than {LARGEST} bytes or {MOST_FILES} files")


def _write(open_member: Callable[[], Any], target: Path, budget: _Budget, progress: Any) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with open_member() as source, target.open("xb") as file:
        while piece := source.read(PIECE):
            budget.bytes += len(piece)
            budget.check()
            file.write(piece)
            progress.update(len(piece))


def _members(archive: Path) -> Iterator[tuple[str, Callable[[], IO[bytes] | None]]]:
    """The regular files. Directories are skipped; links and devices are refused."""
    if _is_tar(archive):
        with tarfile.open(archive) as tar:
            for member in tar:
                if not member.isdir():
                    _refuse_unless(member.isreg(), member.name)
                    yield member.name, partial(tar.extractfile, member)
            # Read to the end of the compressed stream: only then is its checksum compared.
            while tar.fileobj is not None and tar.fileobj.read(PIECE):
                pass
    else:
        with zipfile.ZipFile(archive) as zipped:
            for info in zipped.infolist():
                if not info.is_dir():
                    kind = stat.S_IFMT(info.external_attr >> 16)
                    _refuse_unless(kind in (0, stat.S_IFREG), info.filename)
                    yield info.filename, partial(zipped.open, info)


def _refuse_unless(regular: bool, name: str) -> None:
    if not regular:
        raise SourceFailure(f"the archive is unsafe: {name!r} is a link or a device")


def _safe(name: str) -> PurePosixPath:
    """The name as a relative path, or a SourceFailure if it leaves the folder."""
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in path.parts[0]
    if outside:
        raise SourceFailure(f"the archive is unsafe: {name!r} points outside its folder")
    return path
