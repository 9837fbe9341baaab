"""What SECURITY.md says of the server: who may ask it, and what its pages may do."""

import re
import socket
import tomllib
from pathlib import Path

import pytest
from helpers.project import ROOT
from helpers.serving import kitchen
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from hrrxml.command import run as run_command
from hrrxml.serve import served, server
from hrrxml.serve.app import PAGE, build

PLACES = ("/", "/main.js", "/api/models", "/openapi.json", "/nowhere")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kitchen(tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="module")
def client(folder: Path) -> TestClient:
    models = served.load([str(folder)], [])
    return TestClient(build(models, "box.example"), "http://localhost:8000")


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.1.5", 200),  # no other site's name is a number
        ("box.example:8000", 200),
        ("evil.example", 403),
        ("localhost.evil.example", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil.example:8000@localhost", 200),  # a browser sends no such name: it is localhost's
        ("localhost@evil.example", 403),
        ("[::1", 403),
        ("", 403),
    ],
)
def test_names_that_it_answers_to(client: TestClient, host: str, status: int) -> None:
    assert client.get("/api/models", headers={"host": host}).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "http://localhost:8000"}, 200),
        ({"origin": "http://localhost:8001"}, 403),
        ({"origin": "https://localhost:8000"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
    ],
)
def test_other_sites_may_not_ask(client: TestClient, headers: dict[str, str], status: int) -> None:
    assert client.get("/api/models", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:8000", "origin": "http://127.0.0.1:8000"}, 200),
        ({"host": "127.0.0.1:8000", "origin": "https://models.example"}, 403),
        ({"host": "models.example", "origin": "http://127.0.0.1:8000"}, 403),
        ({"host": "127.0.0.1:8000", "origin": "https://evil.example"}, 403),
    ],
)
def test_a_proxy_rewrites_two_headers(
    client: TestClient, headers: dict[str, str], status: int
) -> None:
    """As SECURITY.md says of one that is reached at https://models.example."""
    sent = headers | {"sec-fetch-site": "same-origin", "x-forwarded-proto": "https"}
    assert client.get("/api/models", headers=sent).status_code == status


def test_on_all_addresses_it_answers_to_the_name_of_the_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To this name alone: another one could be a site's that points here."""
    apps: list[ASGIApp] = []
    monkeypatch.setattr(socket, "gethostname", lambda: "Box-7")
    monkeypatch.setattr(server, "run", lambda app, listening: apps.append(app))
    assert run_command(["serve", str(folder), "--host", "0.0.0.0", "--port", "0"]) == 0
    assert re.match(r"http://Box-7:\d+/ shows kitchen;", capsys.readouterr().out)
    client = TestClient(apps[0], "http://box-7:8000")
    assert client.get("/api/models", headers={"origin": "http://box-7:8000"}).status_code == 200
    for name in ("box-7.evil.example", "box-70", "evil.example", "other"):
        assert client.get("/api/models", headers={"host": name}).status_code == 403


def test_a_link_from_another_site_opens_the_page(client: TestClient) -> None:
    assert client.get("/", headers={"sec-fetch-site": "cross-site"}).status_code == 200


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("headers", [{}, {"host": "evil.example"}])
def test_every_answer_restricts_what_a_page_may_do(
    client: TestClient, place: str, headers: dict[str, str]
) -> None:
    found = client.get(place, headers=headers).headers
    policy = dict(rule.split(" ", 1) for rule in found["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert {policy[kind] for kind in ("script-src", "style-src", "connect-src")} == {"'self'"}
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in found
    assert "server" not in found


def test_only_the_page_is_read_from_disk(client: TestClient) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "//etc/passwd"):
        assert client.get(path).status_code in (404, 405), path


def test_the_page_has_no_inline_code_and_no_other_source() -> None:
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert "://" not in text, path.name
        for danger in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "style="):
            assert danger not in text, path.name
    assert " onclick" not in (PAGE / "index.html").read_text()


def test_the_page_is_small(client: TestClient) -> None:
    """All of it, as it goes over the wire."""
    assert sum(len(client.get(f"/{path.name}").content) for path in PAGE.iterdir()) < 60_000


def test_a_wheel_has_the_page() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    patterns = settings["package-data"]["hrrxml"]
    inside = [path for pattern in patterns for path in (ROOT / "hrrxml").glob(pattern)]
    assert {path for path in PAGE.iterdir() if path.is_file()} <= set(map(Path, inside))
