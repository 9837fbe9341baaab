"""The audit of dependencies fails on what the package index knows, and tells what it does not."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from helpers.project import ROOT

ENTRY: dict[str, Any] = {"urls": [{"yanked": False, "yanked_reason": None}], "vulnerabilities": []}
HOLE = {"id": "PYSEC-0", "aliases": ["CVE-0"], "fixed_in": ["99.0"]}
KNOWN = HOLE | {"aliases": ["CVE-2025-69872"]}


def audit(answer: Callable[[str, str | None], Any]) -> subprocess.CompletedProcess[str]:
    """Ask an index that answers so of a package, at a version or at its newest."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name, *version = self.path.strip("/").removesuffix("/json").split("/")
            found = answer(name, version[0] if version else None)
            self.send_response(200 if found else 404)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as index:
        threading.Thread(target=index.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{index.server_port}"
        try:
            return subprocess.run(
                [sys.executable, ROOT / ".ci/audit"],
                env=os.environ | {"AUDIT_INDEX": url, "NO_PROXY": "127.0.0.1"},
                capture_output=True,
                text=True,
            )
        finally:
            index.shutdown()


def exactly(name: str, version: str | None, **of_requests: Any) -> Any:
    about = ENTRY | (of_requests if name == "requests" else {})
    return about | {"info": {"version": version or "0"}, "releases": {}}


@pytest.mark.parametrize(
    ("of_requests", "message"),
    [
        ({}, ""),
        ({"vulnerabilities": [HOLE]}, "PYSEC-0, CVE-0; fixed in 99.0\n"),
        ({"vulnerabilities": [HOLE | {"withdrawn": "2020"}]}, ""),
        ({"vulnerabilities": [KNOWN | {"fixed_in": []}]}, ""),
        ({"vulnerabilities": [KNOWN]}, "PYSEC-0, CVE-2025-69872; fixed in 99.0\n"),
        ({"urls": [{"yanked": True, "yanked_reason": "broken"}]}, "withdrawn (broken)\n"),
    ],
)
def test_the_audit_fails_on_what_is_known(of_requests: dict[str, Any], message: str) -> None:
    done = audit(lambda name, version: exactly(name, version, **of_requests))
    assert done.returncode == bool(message)
    assert done.stderr.endswith(message)
    assert done.stderr.startswith("requests ") == bool(message)


def test_the_audit_tells_what_the_index_does_not() -> None:
    """One that has only the newest release's entries, and one that has none."""

    def newest_only(name: str, version: str | None) -> Any:
        return None if version else exactly(name, None, vulnerabilities=[HOLE])

    done = audit(newest_only)
    assert done.returncode == 0
    assert "the index does not tell about" in done.stdout
    assert "requests 2" in done.stdout  # of another version nothing is concluded
    done = audit(lambda *_: None)
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert "NOTHING was audited" in done.stdout
