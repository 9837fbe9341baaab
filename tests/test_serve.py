"""`hrrxml serve`: what the API answers is what the models say, and what it refuses."""

import asyncio
import json
import logging
import shutil
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import torch
import uvicorn
from helpers.command import questions
from helpers.project_runs import FC, write_project
from helpers.serving import Server, by_word, kitchen, serving
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient
from uvicorn.server import ServerState

import hrrxml as library
from benchmarks import serve as benchmark
from hrrxml.command import run as run_command
from hrrxml.data.words import analyze
from hrrxml.estimator.from_run import load_run
from hrrxml.runtime.errors import UserError
from hrrxml.serve import bounded, errors, highlight, limits, served
from hrrxml.serve import server as listening
from hrrxml.serve.app import build
from hrrxml.serve.bounded import Bounded
from hrrxml.serve.connections import Prompt

TEXT = "My iron skillet has rust"
ASK = {"model": "kitchen", "text": TEXT}
SECRET = "xyzzy"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return kitchen(tmp_path_factory.mktemp("serve"))


@pytest.fixture(scope="module")
def server(model: Path) -> Iterator[Server]:
    with serving(model) as started:
        yield started


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project")
    write_project(root)
    return root


@pytest.fixture
def client(model: Path) -> TestClient:
    return TestClient(build(served.load([str(model)], []), "127.0.0.1"), "http://localhost")


# What a model says


def test_labels_are_those_of_the_model(server: Server, model: Path) -> None:
    expected = library.load(model).predict([TEXT], k=3)[0]
    guesses = server.ask("/api/predict", ASK | {"k": 3}).json["guesses"]
    assert [guess["label"] for guess in guesses] == [label for label, _ in expected]
    assert [guess["value"] for guess in guesses] == pytest.approx([p for _, p in expected])
    assert all(guess["bar"] == guess["value"] for guess in guesses)


def test_labels_to_choose_from(server: Server) -> None:
    some = ["knives", "crème brûlée"]
    guesses = server.ask("/api/predict", ASK | {"among": some}).json["guesses"]
    assert {guess["label"] for guess in guesses} == set(some)


def test_words_have_the_effects_that_the_model_explains(server: Server, model: Path) -> None:
    expected = by_word(library.load(model).explain(TEXT, "cast-iron", n=100))
    parts = server.ask("/api/explain", ASK | {"label": "cast-iron"}).json["parts"]
    assert "".join(part["text"] for part in parts) == TEXT
    found = {p["text"].lower(): p["effect"] for p in parts if p["effect"] is not None}
    assert found == pytest.approx(expected)
    assert {p["text"] for p in parts if p["is_word"]} == set(TEXT.split())


@given(st.text(st.sampled_from("aZé İΣσſß_-.9\n 𝒳漢")))
def test_pieces_are_the_text_and_its_words(text: str) -> None:
    """The oracle is the analyzer of the model; a lone letter is no word."""
    effects = {word: float(i) for i, word in enumerate(analyze(text))}
    parts = highlight.parts(text, effects)
    assert "".join(part.text for part in parts) == text
    assert all(part.text for part in parts)
    marked = {part.effect for part in parts if part.effect is not None}
    if len(text.lower()) == len(text):
        assert [part.text.lower() for part in parts if part.is_word] == analyze(text)
        assert marked == set(effects.values())


def test_neighbours_and_labels_by_a_part_of_their_name(server: Server, model: Path) -> None:
    expected = library.load(model).neighbours("bread", n=2)
    found = server.ask("/api/neighbours", {"model": "kitchen", "label": "bread", "n": 2}).json
    assert [(one["label"], one["likeness"]) for one in found["neighbours"]] == [
        (label, pytest.approx(cosine)) for label, cosine in expected
    ]
    named = server.ask("/api/labels?model=kitchen&contains=C").json["labels"]
    assert named == ["cleaning", "cast-iron", "crème brûlée"]
    assert server.ask("/api/labels?model=kitchen&contains=iron").json["labels"] == ["cast-iron"]


def test_a_file_is_answered_as_the_command_answers_it(
    server: Server, model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Over several blocks, in both formats, with a blank line and one in JSON."""
    texts = [text for text, _ in questions()] + ["", "only é"]
    plain, as_json = tmp_path / "plain.txt", tmp_path / "texts.jsonl"
    plain.write_text("\n".join(texts) + "\n", encoding="utf-8")
    as_json.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    for path in (plain, as_json):
        for form in ("tsv", "jsonl"):
            answer = server.ask(f"/api/file?model=kitchen&k=2&format={form}", path.read_bytes())
            capsys.readouterr()
            run_command(["predict", str(model), "--input", str(path), "-k", "2", "--format", form])
            assert answer.body.decode() == capsys.readouterr().out
            assert answer.status == 200


def test_runs_of_the_pipeline(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bars: the best label of all has 1, one in the middle 0."""
    monkeypatch.chdir(project)
    client = TestClient(build(served.load([], [FC]), "127.0.0.1"), "http://localhost")
    (facts,) = client.get("/api/models").json()["models"]
    assert (facts["name"], facts["kind"], facts["numbers"]) == (FC, "fc, holographic", "scores")
    run, text = load_run(FC), "word1 likes word2"
    (everything,) = run.predict([text], k=None)
    guesses = client.post("/api/predict", json={"model": FC, "text": text, "k": 12}).json()[
        "guesses"
    ]
    assert [(g["label"], g["value"]) for g in guesses] == [
        (label, pytest.approx(score)) for label, score in everything
    ]
    bars = [guess["bar"] for guess in guesses]
    assert bars[0] == 1
    assert bars == sorted(bars, reverse=True)
    assert bars[6:] == [0] * 6
    asked = {"model": FC, "text": text, "among": [everything[3][0], everything[1][0]]}
    few = client.post("/api/predict", json=asked).json()["guesses"]
    assert few == [guesses[1], guesses[3]]
    label = everything[0][0]
    near = client.post("/api/neighbours", json={"model": FC, "label": label}).json()["neighbours"]
    assert near[0]["label"] == run.neighbours(label)[0][0]
    answer = client.post(f"/api/file?model={FC}&k=1&format=jsonl", content=text.encode())
    assert json.loads(answer.text)["scores"] == [pytest.approx(everything[0][1], abs=1e-6)]


# Bad input


@pytest.mark.parametrize(
    ("path", "body", "status", "message"),
    [
        ("predict", ASK | {"text": ""}, 422, "text: empty; type a few words"),
        ("predict", ASK | {"text": " \n"}, 422, "text: empty; type a few words"),
        ("predict", ASK | {"text": "x" * 10_000_000}, 413, "longer than 500,000 bytes"),
        ("predict", ASK | {"text": "x" * 20_001}, 422, "text: longer than 20,000 characters"),
        ("predict", ASK | {"model": "garden"}, 404, "no model 'garden'; this server has kitchen"),
        ("predict", ASK | {"among": ["brea"]}, 404, "no label 'brea'; did you mean 'bread'"),
        ("predict", ASK | {"among": "bread"}, 422, "among: input should be a valid list"),
        ("predict", ASK | {"k": 0}, 422, "k: input should be greater than or equal to 1"),
        ("predict", {"model": "kitchen"}, 422, "text: field required"),
        ("predict", ASK | {"top": 1}, 422, "top: extra inputs are not permitted"),
        ("explain", ASK | {"label": "x"}, 404, "no label 'x'; choose another, such as '"),
        ("explain", ASK | {"text": "x " * 2501, "label": "x"}, 422, "longer than 5,000 characters"),
        ("neighbours", {"model": "kitchen", "label": ""}, 422, "label: string should have"),
        ("algebra", {"statement": " "}, 422, "statement: empty; write one, such as a * b"),
        ("algebra", {"statement": "a * "}, 422, "statement: the end where a symbol should be"),
        ("algebra", {"statement": "a", "d": 10**9}, 422, "d: input should be less than"),
        ("file?model=kitchen", b"", 422, "file: empty; give one text a line"),
        ("file?model=kitchen", b"\x89PNG\r\n\x1a\n\0", 415, "file: not a text file"),
        ("file?model=kitchen", b"one\ntw\xff\n", 415, "file:2: not a text in UTF-8"),
        ("file?model=kitchen", b'{"text": "a"}\n{"text"\n', 422, "file:2: not JSON (Expecting ':'"),
        ("file?model=kitchen", b'{"text": 1}\n', 422, 'file:1: needs "text", a string'),
        ("file?model=kitchen", b"\n" * 20_001, 413, "file: over 20,000 texts"),
        ("file?model=kitchen", b"a\n" + b"x" * 20_001, 413, "file:2: a text of over 20,000"),
        ("file?model=kitchen", b"x" * 5_000_001, 413, "longer than 5,000,000 bytes"),
        ("file?model=kitchen&among=x", b"a", 404, "no label 'x'"),
        ("file?model=kitchen&format=xml", b"a", 422, "format: input should be 'tsv' or 'jsonl'"),
        ("nothing", {}, 404, "there is no such page; /openapi.json lists the addresses"),
        ("nothing", None, 404, "there is no such page; /openapi.json lists the addresses"),
        ("predict", None, 405, "this address does not take such a request; /openapi.json says"),
        ("models", {}, 405, "this address does not take such a request; /openapi.json says"),
    ],
)
def test_bad_input_has_one_line_and_its_status(
    server: Server, path: str, body: Any, status: int, message: str
) -> None:
    answer = server.ask(f"/api/{path}", body)
    assert answer.status == status, answer.body[:300]
    assert message in answer.error
    assert "\n" not in answer.error


def test_the_place_of_a_fault_has_one_line_number(server: Server) -> None:
    """A line of JSON Lines is the first one for the parser."""
    answer = server.ask("/api/file?model=kitchen", b'{"text": "a"}\n{"text"\n')
    assert answer.error.startswith("file:2: not JSON (Expecting ':' delimiter: column ")
    assert "line 1" not in answer.error


@pytest.mark.parametrize(("path", "methods"), [("/api/predict", "POST"), ("/main.js", "GET, HEAD")])
def test_a_wrong_method_is_told_the_right_one(client: TestClient, path: str, methods: str) -> None:
    answer = client.delete(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, methods)


def test_what_is_no_json(client: TestClient) -> None:
    answer = client.post("/api/predict", content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        "the body is not JSON; send one JSON object",
    )


def test_an_error_repeats_no_text(client: TestClient) -> None:
    asked = {"model": "kitchen", "text": [SECRET], "k": SECRET, "among": [{"a": SECRET}]}
    answer = client.post("/api/predict", json=asked)
    assert answer.status_code == 422
    assert SECRET not in answer.text


def test_a_model_that_is_removed_or_replaced(model: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(model, tmp_path / "kitchen")
    client = TestClient(build(served.load([str(folder)], []), "127.0.0.1"), "http://localhost")
    assert client.post("/api/predict", json=ASK).status_code == 200
    folder.rename(tmp_path / "away")
    gone = client.post("/api/predict", json=ASK)
    assert gone.status_code == 410
    assert "model kitchen: its files were removed or replaced" in gone.json()["error"]
    assert client.get("/api/models").status_code == 200
    shutil.copytree(model, folder, copy_function=shutil.copyfile)  # another one
    assert client.post("/api/predict", json=ASK).status_code == 410
    shutil.rmtree(folder)
    (tmp_path / "away").rename(folder)
    assert client.post("/api/predict", json=ASK).status_code == 200


def test_two_servers_on_one_port(
    server: Server, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["serve", str(model), "--port", str(server.port)]) == 1
    assert capsys.readouterr().err == (
        f"error: 127.0.0.1:{server.port}: another server has this port; "
        "choose one with --port (0: any free one)\n"
    )
    assert server.ask("/api/predict", ASK).status == 200


@pytest.mark.parametrize(
    ("host", "message"),
    [("no such host", "no such address"), ("192.0.2.1", "this machine has no such")],
)
def test_an_address_that_is_not_ours(host: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        listening.listen(host, 0)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "give MODEL"),
        (["{model}", "{model}"], 1, "named twice"),
        (["nowhere"], 1, "nowhere: not a model"),
        (["{model}", "--port", "70000"], 2, "'70000' is not a port from 0 to 65535"),
    ],
)
def test_wrong_usage(
    arguments: list[str], code: int, message: str, model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["serve", "--port", "0", *(word.format(model=model) for word in arguments)]
    try:
        found = run_command(words)
    except SystemExit as error:
        found = int(str(error.code))
    assert found == code
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_models_of_the_same_name_are_told_apart(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("old", "new"):
        shutil.copytree(model, tmp_path / folder / "kitchen")
    monkeypatch.chdir(tmp_path)
    assert list(served.load(["old/kitchen", "new/kitchen"], [])) == [
        "old/kitchen",
        "new/kitchen",
    ]


def test_a_model_of_features_is_refused(tmp_path: Path) -> None:
    clf = library.HolographicClassifier(epochs=1).fit(torch.eye(4).numpy(), ["a", "b", "c", "d"])
    clf.save(tmp_path / "model")
    with pytest.raises(UserError, match="takes numbered features, and the page has texts"):
        served.load([str(tmp_path / "model")], [])


def test_without_the_extra_one_line_names_it(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in [name for name in sys.modules if name.startswith("hrrxml.serve")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert run_command(["serve", str(model), "--port", "0"]) == 1
    assert capsys.readouterr().err == (
        'error: `hrrxml serve` needs uvicorn; pip install "hrrxml[serve]"\n'
    )


# Clients that do not behave


def test_clients_that_hang_up(server: Server) -> None:
    """In the middle of a request, and before the answer."""
    body = json.dumps(ASK).encode()
    head = f"POST /api/predict HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/json\r\n\r\n"
    for sent in (b"POST /api", head.encode(), head.encode() + body[:9], head.encode() + body):
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(sent)
    assert server.ask("/api/predict", ASK).status == 200


def http_scope(path: str = "/api/predict") -> dict[str, Any]:
    return {"type": "http", "path": path, "headers": [], "method": "POST"}


def test_work_stops_when_the_client_leaves() -> None:
    """Also the turn that a waiting request had."""
    seen: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        assert (await receive())["body"] == b"ab"
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def receive() -> dict[str, Any]:
        return next(messages)

    async def send(message: Any) -> None:
        seen.append(message["type"])

    messages = iter(
        [
            {"type": "http.request", "body": b"a", "more_body": True},
            {"type": "http.request", "body": b"b", "more_body": False},
            {"type": "http.disconnect"},
        ]
    )
    asyncio.run(asyncio.wait_for(Bounded(app)(http_scope(), receive, send), 30))
    assert seen == ["cancelled"]


def test_too_many_and_too_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "SECONDS", 0.1)
    statuses: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("no request arrives whole")

    async def never() -> Any:
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    async def ask_at_once(n: int) -> None:
        guarded = Bounded(app)
        await asyncio.gather(*(guarded(http_scope(bounded.UPLOAD), never, send) for _ in range(n)))

    asyncio.run(ask_at_once(limits.UPLOADS + 3))
    assert statuses == [503] * 3 + [408] * limits.UPLOADS


class Wire(asyncio.Transport):
    """The server's end of a connection that a test feeds by hand."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = asyncio.Event()

    def close(self) -> None:
        self.closed.set()

    def is_closing(self) -> bool:
        return self.closed.is_set()

    def write(self, data: Any) -> None:
        pass


HEADER = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


def test_a_connection_is_closed_while_its_header_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """At its start and after an answer. A whole header has its answer, however long that takes."""
    monkeypatch.setattr(limits, "SECONDS", 0.05)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})
        answered.set()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await finish.wait()
        await app(scope, receive, send)

    def connect(app: Any, *sent: bytes) -> tuple[Prompt, Wire]:
        config = uvicorn.Config(app, log_config=None, ws="none", lifespan="off")
        protocol, wire = Prompt(config, ServerState(), {}), Wire()
        protocol.connection_made(wire)
        for data in sent:
            protocol.data_received(data)
        return protocol, wire

    async def watch() -> None:
        _, waiting = connect(slow, HEADER, b"\r\n")
        again, third = connect(app, HEADER + b"\r\n")
        await answered.wait()
        again.data_received(HEADER)
        for wire in (connect(app)[1], connect(app, HEADER)[1], third):
            await asyncio.wait_for(wire.closed.wait(), 60)
        assert not waiting.is_closing()
        finish.set()
        await asyncio.sleep(0)

    answered, finish = asyncio.Event(), asyncio.Event()
    asyncio.run(watch())


def test_half_headers_shut_others_out_for_a_while(server: Server) -> None:
    """They get an error in the one form, with the headers of every answer."""
    with ExitStack() as stack:
        for _ in range(limits.CONNECTIONS):
            connection = socket.create_connection(("127.0.0.1", server.port), timeout=60)
            stack.enter_context(connection).sendall(HEADER)
        answer = server.ask("/api/models")
        assert (answer.status, answer.error) == (503, errors.MEANINGS[503])
        assert answer.headers["connection"] == "close"
        assert "content-security-policy" in answer.headers
    end = time.monotonic() + 60
    while server.ask("/api/models").status != 200:
        assert time.monotonic() < end


def test_several_clients_at_once(server: Server) -> None:
    """Each has its own answers, and none fails."""
    words = ("iron", "dough", "blade", "custard") * 2
    expected = {word: server.ask("/api/predict", ASK | {"text": word}).body for word in words}
    assert len(set(expected.values())) == 4

    def client(word: str) -> list[bytes]:
        return [server.ask("/api/predict", ASK | {"text": word}).body for _ in range(20)]

    with ThreadPoolExecutor(len(words)) as pool:
        for word, answers in zip(words, pool.map(client, words), strict=True):
            assert answers == [expected[word]] * 20


# What is never told


def test_nothing_that_was_typed_is_logged(model: Path) -> None:
    with serving(model) as started:
        typed = [ASK | {"text": SECRET}, ASK | {"among": [SECRET]}, {"text": SECRET, SECRET: 1}]
        for body in typed:
            started.ask("/api/predict", body)
        started.ask(f"/api/labels?model=kitchen&contains={SECRET}")
        started.ask(f"/api/file?model=kitchen&among={SECRET}", SECRET.encode() + b"\xff")
        started.ask(f"/{SECRET}")
        assert started.stop() == ""


def test_a_fault_is_logged_without_its_message(
    model: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    models = served.load([str(model)], [])

    def fail(texts: list[str], **options: Any) -> None:
        raise KeyError(texts[0])

    monkeypatch.setattr(models["kitchen"].model, "predict", fail)
    client = TestClient(build(models, "127.0.0.1"), "http://localhost")
    with caplog.at_level(logging.INFO):
        answer = client.post("/api/predict", json=ASK | {"text": SECRET})
    assert (answer.status_code, answer.json()) == (
        500,
        {"error": "a fault in this program; its log says where"},
    )
    assert "KeyError" in caplog.text
    assert "in rank" in caplog.text
    assert SECRET not in caplog.text
    assert client.get("/api/models").status_code == 200


@pytest.mark.long  # it starts two processes that import torch
def test_the_benchmark_counts_what_clients_see(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(benchmark, "SECONDS", 0.5)
    monkeypatch.setattr(benchmark, "CLIENTS", 3)
    monkeypatch.setattr(benchmark, "ALONE", 3)
    texts = [text for text, _ in questions()]
    measured = benchmark.ask_server(kitchen(tmp_path, "model"), texts, "bread")
    assert set(measured["alone"]) == {"predict", "explain", "neighbours", "algebra"}
    load = measured["load"]
    assert (load["clients"], load["errors"]) == (3, 0)
    assert load["requests"] >= 3
    assert load["requests_per_second"] == pytest.approx(load["requests"] / 0.5, abs=0.1)
    assert 0 < load["p50_ms"] <= load["p99_ms"]
    assert min(load["memory_mb"]) > 0
    _, halfway, end = load["memory_mb"]
    assert load["memory_growth_mb"] == pytest.approx(end - halfway, abs=0.05)
    assert (measured["first_paint_ms"] is None) == (shutil.which("chromium") is None)
    assert measured["first_paint_ms"] is None or measured["first_paint_ms"] > 0
