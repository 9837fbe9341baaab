"""Unpacking what nobody vouches for: no path outside the folder, no links, a size limit."""

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

LARGEST = 50 * 2**30  # bytes, unpacked: several times the largest dataset of the papers
MOST_FILES = 10_000
PIECE = 2**20

DAMAGED = (
    tarfile.TarError, zipfile.BadZipFile, zlib.error, LZMAError, EOFError,
    ValueError, RuntimeError, OverflowError, IndexError, KeyError,
)  # fmt: skip


def check_is_archive(archive: Path) -> None:
    """Say what came instead, if it is not an archive; sign-in and quota pages are common."""
    if _is_tar(archive) or zipfile.is_zipfile(archive):
        return
    with archive.open("rb") as file:
        beginning = file.read(200).lstrip().lower()
    archive.unlink()
    if beginning.startswith((b"<!doctype", b"<html", b"<?xml")):
        raise SourceFailure("an HTML page instead of an archive (a sign-in or quota page?)")
    raise SourceFailure("neither a zip nor a tar archive, or one cut short")


def _is_tar(archive: Path) -> bool:
    try:
        return tarfile.is_tarfile(archive)
    except (OSError, *DAMAGED):  # the compression under it is damaged
        return False


def unpack(archive: Path, folder: Path, patterns: Sequence[str]) -> None:
    """Write the archive's files whose names match one of the patterns below `folder`."""
    budget = _Budget()
    try:
        with bytes_bar("unpack", None) as progress:
            for name, open_member in _members(archive):
                if any(fnmatch(name, pattern) for pattern in patterns):
                    budget.files += 1
                    budget.check()
                    _write(open_member, folder / _safe(name), budget, progress)
    except DAMAGED as error:
        raise SourceFailure(f"a damaged archive ({error})") from error
    if budget.files == 0:
        raise SourceFailure(f"an archive without {' or '.join(patterns)}")


class _Budget:
    """What has been unpacked so far; sizes that the archive claims count for nothing."""

    files = 0
    bytes = 0

    def check(self) -> None:
        if self.bytes > LARGEST or self.files > MOST_FILES:
            raise SourceFailure(f"unpacks to over {LARGEST} bytes or {MOST_FILES} files")


def _write(open_member: Callable[[], Any], target: Path, budget: _Budget, progress: Any) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with open_member() as source, target.open("xb") as file:
        while piece := source.read(PIECE):
            budget.bytes += len(piece)
            budget.check()
            file.write(piece)
            progress.update(len(piece))


def _members(archive: Path) -> Iterator[tuple[str, Callable[[], IO[bytes] | None]]]:
    """The archive's regular files; directories come by themselves, anything else is refused."""
    if _is_tar(archive):
        with tarfile.open(archive) as tar:
            for member in tar:
                if not member.isdir():
                    _refuse_unless(member.isreg(), member.name)
                    yield member.name, partial(tar.extractfile, member)
            # A tar ends before its compression does: only then is that one's checksum compared.
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
        raise SourceFailure(f"an unsafe archive: {name!r} is a link or a device")


def _safe(name: str) -> PurePosixPath:
    """The name as a path that stays below the folder it is put in."""
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts or "\\" in name or ":" in path.parts[0]
    if outside:
        raise SourceFailure(f"an unsafe archive: {name!r} points outside its folder")
    return path
