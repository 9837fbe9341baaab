"""Download a file from the web. It resumes after a break and retries with growing pauses."""

import time
from pathlib import Path

import requests
from urllib3.exceptions import HTTPError

from hrrxml.datasets.sources.failure import SourceFailure
from hrrxml.runtime.progress import bytes_bar

ATTEMPTS = 5  # without progress, with pauses of 1, 2, 4 and 8 seconds
TIMEOUT = 60  # seconds without a byte
PIECE = 2**20


def download(url: str, archive: Path) -> None:
    """Download to a .part file. A later call resumes it if the server's file is the same."""
    part = archive.with_suffix(".part")
    attempt, most = 0, _size(part)
    while True:
        try:
            _continue(url, part)
        except (requests.RequestException, HTTPError) as error:
            attempt = 1 if _size(part) > most else attempt + 1
            most = max(most, _size(part))
            reason = _reason(error)
            if attempt == ATTEMPTS or not _can_retry(error):
                raise SourceFailure(reason) from error
            time.sleep(2 ** (attempt - 1))
        else:
            part.rename(archive)
            return


def _continue(url: str, part: Path) -> None:
    """Download the missing bytes, or the whole file if it changed on the server."""
    version = part.with_suffix(".version")  # the ETag of the file that `part` belongs to
    headers = {"Accept-Encoding": "identity"}
    if _size(part) and version.exists():
        headers |= {"Range": f"bytes={_size(part)}-", "If-Range": version.read_text()}
    with requests.get(url, headers=headers, stream=True, timeout=TIMEOUT) as response:
        if response.status_code == requests.codes.requested_range_not_satisfiable:
            part.unlink()
        response.raise_for_status()
        if url.startswith("https:") and not response.url.startswith("https:"):
            raise SourceFailure(f"redirects to {response.url}, which is not encrypted")
        resumed = response.status_code == requests.codes.partial_content
        done = _size(part) if resumed else 0
        length = response.headers.get("Content-Length")
        total = done + int(length) if length else None
        tag = response.headers.get("ETag") or response.headers.get("Last-Modified")
        version.write_text(tag) if tag else version.unlink(missing_ok=True)
        name = url.rpartition("/")[2]
        with part.open("ab" if resumed else "wb") as file, bytes_bar(name, total, done) as progress:
            while piece := response.raw.read1(PIECE):  # bytes received before a break count
                file.write(piece)
                progress.update(len(piece))
    if total is not None and _size(part) != total:
        raise requests.ConnectionError(f"the connection broke after {_size(part)} of {total} bytes")


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _can_retry(error: Exception) -> bool:
    """True if another attempt can succeed. It cannot if, for example, the file does not exist."""
    response = getattr(error, "response", None)
    if response is None:
        return not isinstance(error, requests.exceptions.InvalidURL)
    return response.status_code in (408, 416, 429) or response.status_code >= 500


def _reason(error: Exception) -> str:
    response = getattr(error, "response", None)
    return str(error) if response is None else f"{response.status_code} {response.reason}"
