"""Archives are unpacked inside their folder, whole, within limits; anything else is refused."""

import os
import tarfile
import zipfile
from pathlib import Path

import pytest
from helpers.archives import contents, make_tar, make_zip
from hypothesis import given, settings
from hypothesis import strategies as st

from hrrxml.datasets.sources import archives
from hrrxml.datasets.sources.failure import SourceFailure

FILES = {"set/train.txt": b"1 2 3\n" * 50, "set/deep/names.txt": b"one\ntwo\n", "empty": b""}


MAKERS = [make_zip, make_tar]


@pytest.mark.parametrize("make", MAKERS)
def test_every_file_arrives(make, tmp_path: Path) -> None:
    archive = make(tmp_path / "archive", FILES)
    archives.check_is_archive(archive)
    archives.unpack(archive, tmp_path / "out", ["*"])
    assert contents(tmp_path / "out") == FILES


@pytest.mark.parametrize("make", MAKERS)
def test_only_what_is_asked_for(make, tmp_path: Path) -> None:
    archive = make(tmp_path / "archive", FILES)
    archives.unpack(archive, tmp_path / "out", ["*/names.txt"])
    assert set(contents(tmp_path / "out")) == {"set/deep/names.txt"}
    with pytest.raises(SourceFailure, match=r"the archive has no \*\.csv"):
        archives.unpack(archive, tmp_path / "other", ["*.csv"])


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "name",
    ["../outside.txt", "/etc/outside.txt", "a/../../outside.txt", "..\\outside", "C:/outside"],
)
def test_no_path_outside_the_folder(make, name: str, tmp_path: Path) -> None:
    archive = make(tmp_path / "archive", {"good.txt": b"good", name: b"evil"})
    (tmp_path / "inner").mkdir()
    with pytest.raises(SourceFailure, match="points outside its folder"):
        archives.unpack(archive, tmp_path / "inner" / "out", ["*"])
    assert not list(tmp_path.glob("**/outside*"))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE]
)
def test_no_links_or_devices_in_a_tar(kind: bytes, tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "archive", "w") as archive:
        info = tarfile.TarInfo("link")
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(SourceFailure, match="'link' is a link or a device"):
        archives.unpack(tmp_path / "archive", tmp_path / "out", ["*"])


def test_no_links_in_a_zip(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(SourceFailure, match="'link' is a link or a device"):
        archives.unpack(tmp_path / "archive", tmp_path / "out", ["*"])


@pytest.mark.parametrize("make", MAKERS)
def test_archives_that_unpack_to_too_much_are_refused(
    make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = make(tmp_path / "bomb", {"zeros": b"\0" * 10**7})
    assert bomb.stat().st_size < 10**5
    monkeypatch.setattr(archives, "LARGEST", 10**6)
    monkeypatch.setattr(archives, "PIECE", 10**5)
    with pytest.raises(SourceFailure, match="unpacks to more than 1000000 bytes"):
        archives.unpack(bomb, tmp_path / "out", ["*"])
    assert (tmp_path / "out" / "zeros").stat().st_size <= 10**6  # stopped in time
    many = make(tmp_path / "many", {f"file{i}": b"" for i in range(30)})
    monkeypatch.setattr(archives, "MOST_FILES", 20)
    with pytest.raises(SourceFailure, match="or 20 files"):
        archives.unpack(many, tmp_path / "out2", ["*"])


def test_what_is_not_an_archive_is_described(tmp_path: Path) -> None:
    page, noise = tmp_path / "page", tmp_path / "noise"
    page.write_text("\n<!DOCTYPE html><html>Quota exceeded</html>")
    noise.write_bytes(os.urandom(1000))
    with pytest.raises(SourceFailure, match="an HTML page instead of an archive"):
        archives.refuse_page(page)
    archives.refuse_page(noise)
    with pytest.raises(SourceFailure, match="not a complete zip or tar"):
        archives.check_is_archive(noise)


@pytest.mark.parametrize("make", MAKERS)
@given(
    damages=st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=6),
    cut=st.integers(0, 10**6) | st.none(),
)
@settings(max_examples=500)
def test_damaged_archives_never_unpack_to_something_else(
    make, tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[int, int]], cut: int | None
) -> None:
    """Either refused, or every file that arrives has its name and its bytes; tar has no checksum
    of its own, so there gzip's must notice."""
    folder = tmp_path_factory.mktemp("damaged", numbered=True)
    archive = make(folder / "archive", FILES)
    data = bytearray(archive.read_bytes())
    for where, value in damages:
        data[where % len(data)] = value
    archive.write_bytes(data if cut is None else data[: cut % len(data)])
    try:
        archives.check_is_archive(archive)
        archives.unpack(archive, folder / "out", ["*"])
    except (SourceFailure, OSError):
        return
    found = contents(folder / "out")
    # A zip keeps names unchecked in two places; the contents are always checked.
    assert all(data in FILES.values() for data in found.values())
