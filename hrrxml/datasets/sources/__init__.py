"""Getting a dataset: from the first source that has it, verified, unpacked, put in place whole.

A mirror (a directory or a URL in the environment variable HRRXML_MIRROR) is asked first.
"""

import errno
import hashlib
import json
import os
import shutil
from pathlib import Path

from hrrxml.config.schema import Dataset, Source
from hrrxml.datasets.sources import drive, local, pypi, web
from hrrxml.datasets.sources.archives import check_is_archive, unpack
from hrrxml.datasets.sources.checksums import MANIFEST, broken_seal, digest, matches, seal
from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import replacing_folder

MIRROR = "HRRXML_MIRROR"


def fetch(dataset: Dataset, folder: Path) -> str:
    """Make `folder` hold the dataset's files; say in a few words where they are from."""
    if there := _already_there(dataset, folder):
        return there
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
            failures.append(f"  {source.origin}: {error}")
    raise UserError("\n".join([f"{folder}: no source has it:", *failures, _cure(dataset)]))


def verify(folder: Path) -> None:
    """Refuse a fetched folder whose files are not those that were unpacked."""
    if (folder / MANIFEST).exists() and (why := broken_seal(folder)):
        raise UserError(f"{why}; delete {folder} and rerun")


def _candidates(dataset: Dataset) -> list[Source]:
    mirror = os.environ.get(MIRROR)
    if not mirror or dataset.archive is None:
        return dataset.sources
    if mirror.startswith(("http://", "https://")):
        # Not validated: a mirror on one's own network may well be plain http.
        first = Source.model_construct(url=f"{mirror.rstrip('/')}/{dataset.archive}")
    else:
        first = Source(path=str(Path(mirror, dataset.archive)))
    return [first, *dataset.sources]


def _known(source: Source, dataset: Dataset) -> list[str]:
    """The checksums that this source's archive may have; none if any archive will do."""
    if source in dataset.sources:
        return source.checksums
    # A mirror's own versions are listed; else it may have that of a source without checksum.
    if not dataset.checksums and any(not source.checksums for source in dataset.sources):
        return []
    return _all_known(dataset)


def _origin(source: Source, dataset: Dataset) -> str:
    """What a folder remembers of an archive that nothing vouches for."""
    return source.origin if source in dataset.sources else "mirror"


def _all_known(dataset: Dataset) -> list[str]:
    return dataset.checksums + [c for source in dataset.sources for c in source.checksums]


def _already_there(dataset: Dataset, folder: Path) -> str | None:
    """Why nothing needs to be fetched, if nothing does."""
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
    """Fetch from one source, verify, unpack; the folder changes at the very end, at once."""
    if source.path and Path(source.path).exists():
        _refuse_overlap(Path(source.path), folder)
    if source.path and Path(source.path).is_dir():
        with replacing_folder(folder) as copy:
            shutil.copytree(source.path, copy, dirs_exist_ok=True)
        return f"copied from {source.path}"
    # Kept after a failure or a kill, so that the next attempt continues where this one ended.
    archive = _partial(folder) / hashlib.sha256(source.origin.encode()).hexdigest()[:16]
    archive.parent.mkdir(parents=True, exist_ok=True)
    _get(source, archive)
    check_is_archive(archive)
    known, found = _known(source, dataset), digest(archive, "sha256")
    if known and not matches(archive, known):
        archive.unlink()
        raise SourceFailure(f"{found} is none of its checksums: damaged, or another version")
    try:
        with replacing_folder(folder) as unpacked:
            unpack(archive, unpacked, dataset.unpack)
            origin = "" if known else _origin(source, dataset)
            seal(unpacked, archive, origin=origin, unpack=dataset.unpack)
    except SourceFailure:
        archive.unlink()  # the next attempt is not to continue with the same bytes
        raise
    shutil.rmtree(archive.parent)
    if known:
        return f"from {source.origin}, checksum verified"
    return f"from {source.origin}, no checksum known: pin {found} in params.yaml"


def _refuse_overlap(path: Path, folder: Path) -> None:
    """What is copied must not lie in what the copy replaces, or be about to hold it."""
    inner, outer = path.resolve(), folder.resolve()
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise SourceFailure(f"overlaps with {folder}: name that folder itself, or one elsewhere")


def _partial(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.partial")


def _get(source: Source, archive: Path) -> None:
    """Write the source's archive to the path, or raise SourceFailure."""
    if source.url:
        web.download(source.url, archive)
    elif source.drive:
        drive.download(source.drive, archive)
    elif source.pypi:
        assert source.sha256, "schema.py demands it"
        pypi.download(source.pypi, source.sha256, archive)
    else:
        assert source.path, "schema.py allows no other kind"
        local.copy(Path(source.path), archive)


def _cure(dataset: Dataset) -> str:
    if dataset.archive is None:
        return "check its `sources` in params.yaml"
    return (
        f"rerun to try again, or put {dataset.archive} into a directory, by hand if need be, "
        f"and set {MIRROR} to it"
    )
