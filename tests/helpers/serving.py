"""The server as a process of its own, and requests to it."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from helpers.command import write_tsv
from hrrxml.command import run


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> str:
        """The one line that every error has."""
        (message,) = self.json.values()
        return message


class Server:
    """A running `hrrxml serve`."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        self.port = urlsplit(address).port or 0

    def ask(self, path: str, body: Any = None, **headers: str) -> Answer:
        """GET a path; or POST a body: bytes as they are, anything else as JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        kind = "text/plain" if isinstance(body, bytes) else "application/json"
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body)
        names = {"content-type": kind} | {k.replace("_", "-"): v for k, v in headers.items()}
        try:
            connection.request("GET" if body is None else "POST", path, sent, names)
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, response.read())
        finally:
            connection.close()

    def stop(self) -> str:
        """Stop it as Ctrl-C does; the result is what it printed since its first line."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        # Where a shell started the tests in the background, SIGINT is ignored in the end.
        assert self.process.returncode in (0, 130), err
        return out + err


@contextmanager
def serving(*arguments: object, cwd: Path | None = None) -> Iterator[Server]:
    """`hrrxml serve` with these arguments, on a free port."""
    words = [sys.executable, "-W", "error", "-m", "hrrxml", "serve", "--port", "0"]
    process = subprocess.Popen(
        [*words, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        first = process.stdout.readline()
        assert first, process.communicate()[1]
        yield Server(process, first.split()[0])
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def kitchen(folder: Path, name: str = "kitchen", *options: object) -> Path:
    """A model of the kitchen's questions."""
    data = write_tsv(folder / "questions.tsv")
    assert run(["train", str(data), "-o", str(folder / name), *map(str, options)]) == 0
    return folder / name


def by_word(effects: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The effects of words and pairs, each pair's shared by its two words."""
    shared: dict[str, float] = {}
    for name, effect in effects:
        words = name.split()
        for word in words:
            shared[word] = shared.get(word, 0) + effect / len(words)
    return shared
