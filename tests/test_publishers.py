"""The registered downloads, from a local server that answers as Google Drive and archive.org do.

Drive asks whether to download a file that it cannot scan for viruses, sends pages when a quota is
used up or a file is private, and answers range requests. archive.org redirects to one of its
servers, which answers range requests, too.
"""

import hashlib
import random
import re
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from helpers.archives import contents, make_tar
from helpers.project import ROOT

from hrrxml.config import params
from hrrxml.config.schema import Dataset
from hrrxml.datasets import sources
from hrrxml.datasets.sources import checksums, web
from hrrxml.runtime.errors import UserError

# More than gdown reads at once, half a megabyte, so that it has something to continue with.
FILES = {"Set/train.txt": random.Random(0).randbytes(1_500_000), "Set/test.txt": b"4 5 6\n"}
REGISTRY = params.load(ROOT / "params.yaml").datasets
PUBLISHED = {
    name: entry for name, entry in REGISTRY.items() if any(s.drive or s.url for s in entry.sources)
}
CONFIRM = """<html><body><p>Google Drive can't scan this file for viruses.</p>
<form id="download-form" action="https://drive.usercontent.google.com/download" method="get">
<input type="submit" value="Download anyway"/><input type="hidden" name="id" value="{id}">
<input type="hidden" name="export" value="download"><input type="hidden" name="confirm" value="t">
<input type="hidden" name="uuid" value="0c6c3ea1"></form></body></html>"""
QUOTA = """<html><body><p class="uc-error-caption">Sorry, you can't download this file now.</p>
<p class="uc-error-subcaption">Too many users have viewed or downloaded this file recently.</p>
</body></html>"""
SIGN_IN = "<html><title>Sign in - Google Accounts</title></html>"

Answer = Callable[["Request"], None]


class Request(BaseHTTPRequestHandler):
    """One request. Its path begins with the host that the client asked."""

    def do_GET(self) -> None:
        publishers: Publishers = self.server.publishers  # type: ignore[attr-defined]
        _, self.host, self.rest = self.path.split("/", 2)
        self.id = parse_qs(urlsplit(self.path).query).get("id", [""])[0]
        self.is_confirmed = "confirm=t" in self.path
        publishers.asked.append((self.host, self.headers.get("Range")))
        publishers.answer(self)

    def page(self, text: str) -> None:
        self.reply(200, {"Content-Type": "text/html; charset=utf-8"}, text.encode())

    def redirect(self, status: int, target: str) -> None:
        self.reply(status, {"Location": target, "Content-Type": "text/html"})

    def file(self, data: bytes, upto: int | None = None) -> None:
        """The file, or the range that was asked for; `upto` breaks the connection."""
        wanted = re.match(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted else 0
        about = {
            "Content-Type": "application/octet-stream",
            "Content-Disposition": 'attachment; filename="Set.tar.gz"',
            "Accept-Ranges": "bytes",
            "ETag": '"65a1"',
            "Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}",
            "Content-Length": str(len(data) - start),
        }
        self.reply(206 if wanted else 200, about, data[start:upto])

    def reply(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in ({"Content-Length": str(len(body))} | headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Publishers:
    """Both publishers. `refused` maps a file's id on Drive to the page that is sent for it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[tuple[str, str | None]] = []
        self.refused: dict[str, str] = {}
        self.breaks: list[int] = []  # after how many bytes the next connections break
        self.busy = 0  # how many more requests get 503
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Request)
        self.http.publishers = self  # type: ignore[attr-defined]
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def answer(self, request: Request) -> None:
        if self.busy:
            self.busy -= 1
            request.reply(503, {"Retry-After": "1"})
        elif request.host == "drive.google.com":
            target = "https://drive.usercontent.google.com/download?export=download&id="
            request.redirect(303, target + request.id)
        elif request.host == "archive.org":
            request.redirect(302, f"https://ia801.us.archive.org/27/items/{request.rest}")
        elif request.id in self.refused:
            request.page(self.refused[request.id])
        elif request.id and not request.is_confirmed:
            request.page(CONFIRM.format(id=request.id))
        else:
            request.file(self.data, self.breaks.pop(0) if self.breaks else None)


@pytest.fixture
def archive(tmp_path: Path) -> bytes:
    return make_tar(tmp_path / "Set.tar.gz", FILES).read_bytes()


@pytest.fixture
def publishers(
    archive: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Publishers]:
    """Every request to Google or archive.org goes to the local server, and no client waits."""
    publishers = Publishers(archive)
    send = requests.adapters.HTTPAdapter.send

    def redirected(
        adapter: requests.adapters.HTTPAdapter, request: requests.PreparedRequest, **how: object
    ) -> requests.Response:
        assert request.url
        local = request.copy()
        url = urlsplit(request.url)
        port = publishers.http.server_port
        local.url = f"http://127.0.0.1:{port}/{url.netloc}{url.path}?{url.query}"
        how["proxies"] = None
        response = send(adapter, local, **how)  # type: ignore[arg-type]
        response.url = request.url
        return response

    drive = sys.modules["gdown.download"]
    monkeypatch.setattr(requests.adapters.HTTPAdapter, "send", redirected)
    monkeypatch.setattr(drive, "DEFAULT_COOKIES_FILE", str(tmp_path / "cookies.txt"))
    monkeypatch.setattr(drive, "_wait_or_cancel", lambda **_: None)
    monkeypatch.setattr(web.time, "sleep", lambda _: None)
    monkeypatch.delenv(sources.MIRROR, raising=False)
    yield publishers
    publishers.http.shutdown()
    publishers.http.server_close()


def published(name: str, archive: bytes) -> Dataset:
    """The registered entry, with the checksums of the test's archive in place of its own."""
    md5 = hashlib.md5(archive).hexdigest()
    own = [s.model_copy(update={"md5": s.md5 and md5}) for s in REGISTRY[name].sources]
    return REGISTRY[name].model_copy(update={"sources": own, "unpack": ["*"]})


def fetch(name: str, archive: bytes, folder: Path) -> str:
    told = sources.fetch(published(name, archive), folder / name)
    found = contents(folder / name)
    assert {file: found[file] for file in found if file != checksums.MANIFEST} == FILES
    return told


@pytest.mark.parametrize("name", PUBLISHED)
def test_each_registered_archive_arrives(
    name: str, publishers: Publishers, archive: bytes, tmp_path: Path
) -> None:
    first = REGISTRY[name].sources[0]
    assert fetch(name, archive, tmp_path).startswith(f"from {first.origin}, ")
    google = ["drive.google.com", "drive.usercontent.google.com", "drive.usercontent.google.com"]
    expected = google if first.drive else ["archive.org", "ia801.us.archive.org"]
    assert [host for host, _ in publishers.asked] == expected


@pytest.mark.parametrize("name", ["mediamill", "eurlex-4k"])
def test_after_a_used_up_quota_the_second_copy_is_fetched(
    name: str, publishers: Publishers, archive: bytes, tmp_path: Path
) -> None:
    first, second = (str(source.drive) for source in REGISTRY[name].sources)
    publishers.refused = {first: QUOTA}
    told = fetch(name, archive, tmp_path)
    assert told.startswith(f"from drive.google.com/{second}, no checksum known: pin sha256:")
    publishers.refused = {first: QUOTA, second: SIGN_IN}
    with pytest.raises(UserError) as refusal:
        sources.fetch(published(name, archive), tmp_path / "again")
    message = str(refusal.value)
    assert re.search(rf"google.com/{first}: .*Too many users have viewed", message)
    assert re.search(rf"google.com/{second}: .*You may need to change the permission", message)
    assert f"download {REGISTRY[name].archive} into a directory yourself" in message
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("name", ["mediamill", "eurlex-4k", "eurlex-4k-text"])
def test_a_broken_download_is_continued(
    name: str, publishers: Publishers, archive: bytes, tmp_path: Path
) -> None:
    publishers.breaks = [600_000, 1_200_000]
    fetch(name, archive, tmp_path)
    ranges = [wanted for host, wanted in publishers.asked if wanted and host != "archive.org"]
    first, second = (int(re.sub(r"\D", "", wanted)) for wanted in ranges)
    assert 500_000 < first <= 600_000
    assert 1_000_000 < second <= 1_200_000


def test_a_busy_archive_is_asked_again(
    publishers: Publishers, archive: bytes, tmp_path: Path
) -> None:
    publishers.busy = 3
    fetch("eurlex-4k-text", archive, tmp_path)
    assert [host for host, _ in publishers.asked] == [*4 * ["archive.org"], "ia801.us.archive.org"]


def test_another_file_on_drive_is_refused(
    publishers: Publishers, archive: bytes, tmp_path: Path
) -> None:
    publishers.data = make_tar(tmp_path / "Other.tar.gz", {"other.txt": b""}).read_bytes()
    with pytest.raises(UserError, match=r"sha256:[0-9a-f]{64} is not a known checksum"):
        sources.fetch(published("delicious", archive), tmp_path / "delicious")
