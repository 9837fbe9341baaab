"""`hrrxml serve`: the time of an answer, and 50 clients for a minute.

The model has WordNet-11k's words and labels, after one epoch: the time of an answer does not depend
on the training. Server and clients are processes of their own on one machine, so the clients take
their share of its cores. `alone` are milliseconds of one client that asks one thing at a time.
`first_paint_ms` is Chromium's time until it shows something of the page; null where there is none.
`load` is what CLIENTS clients saw who asked for labels without a pause. `memory_mb` is the server's
memory before it, halfway and in the end. `memory_growth_mb` is the growth in its second half: near
0 if memory is flat.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

import hrrxml
from benchmarks import clock, corpora, paint
from hrrxml.runtime import machine
from hrrxml.runtime.errors import UserError

CLIENTS, SECONDS = 50, 60.0
ALONE = 200  # texts asked about one by one
STATEMENT = "l * legs + t * tail + h * (e * eyes + n * nose + m * mouth)"


def measure(dataset: str = "wordnet-11k") -> dict[str, Any]:
    found = corpora.load(dataset)
    with tempfile.TemporaryDirectory() as folder:
        model = hrrxml.HolographicClassifier(epochs=1).fit(found.inputs, found.labels)
        model.save(Path(folder, "model"))
        sizes = {"features": model.n_features_in_, "labels": len(model.classes_)}
        label = str(model.classes_[0])
        del model
        return sizes | ask_server(Path(folder, "model"), found.test_inputs, label)


def ask_server(folder: Path, texts: Sequence[str], label: str) -> dict[str, Any]:
    """Everything that is measured of one model's server."""
    with _server(folder) as (process, port):
        with closing(http.client.HTTPConnection("127.0.0.1", port)) as client:
            alone = _alone(client, list(islice(cycle(texts), ALONE)), label)
        painted = paint.first_paint(f"http://127.0.0.1:{port}/")
        loaded = _load(port, process.pid, texts)
        return {
            "alone": alone,
            "first_paint_ms": painted,
            "load": loaded,
            "machine": machine.describe(),
        }


def _alone(client: http.client.HTTPConnection, texts: list[str], label: str) -> dict[str, Any]:
    """One client, one request at a time."""
    asked: dict[str, list[dict[str, Any]]] = {
        "predict": [{"text": text} for text in texts],
        "explain": [{"text": text, "label": label} for text in texts],
        "neighbours": [{"label": label}] * 10,
    }
    works = {
        name: [partial(_ask, client, name, {"model": "model"} | body) for body in bodies]
        for name, bodies in asked.items()
    }
    works["algebra"] = [partial(_ask, client, "algebra", {"statement": STATEMENT})] * 20
    return {name: _summary([clock.once(work) for work in some]) for name, some in works.items()}


@contextmanager
def _server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    command = [sys.executable, "-m", "hrrxml", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            first = process.stdout.readline()
            if not first:
                raise UserError(f"`{' '.join(command)}` failed; its error is above")
            yield process, urlsplit(first.split()[0]).port or 0
        finally:
            process.send_signal(signal.SIGINT)


def _ask(client: http.client.HTTPConnection, path: str, body: dict[str, Any]) -> None:
    client.request("POST", f"/api/{path}", json.dumps(body), {"Content-Type": "application/json"})
    response = client.getresponse()
    content = response.read()
    if response.status != 200:
        raise UserError(f"the server answered {response.status}: {content[:200]!r}")


def _load(port: int, process: int, texts: Sequence[str]) -> dict[str, Any]:
    """Many clients at once, in a process of their own."""
    memory = [_megabytes(process)]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        future = pool.submit(_ask_without_pause, port, list(texts[:1000]), CLIENTS, SECONDS)
        time.sleep(SECONDS / 2)
        memory.append(_megabytes(process))
        times, errors = future.result()
    memory.append(_megabytes(process))
    return {
        "clients": CLIENTS,
        "seconds": SECONDS,
        "requests": len(times),
        "errors": errors,
        "requests_per_second": round(len(times) / SECONDS, 1),
        "memory_mb": memory,
        "memory_growth_mb": round(memory[-1] - memory[1], 1),
        **_summary(times),
    }


def _ask_without_pause(
    port: int, texts: list[str], clients: int, seconds: float
) -> tuple[list[float], int]:
    """The milliseconds of every answer, and how many requests failed."""
    end, times, errors = time.monotonic() + seconds, [], []

    def client(place: int) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
            for text in islice(cycle(texts), place, None):
                if time.monotonic() >= end:
                    return
                try:
                    body = {"model": "model", "text": text}
                    times.append(clock.once(partial(_ask, connection, "predict", body)))
                except (OSError, UserError, http.client.HTTPException) as error:
                    errors.append(error)
                    connection.close()

    threads = [threading.Thread(target=client, args=(place,)) for place in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times, len(errors)


def _summary(times: list[float]) -> dict[str, float]:
    return {
        "p50_ms": round(float(np.percentile(times, 50)), 1),
        "p99_ms": round(float(np.percentile(times, 99)), 1),
    }


def _megabytes(process: int) -> float:
    """The resident memory of a process, without files that it only reads."""
    pages = Path(f"/proc/{process}/statm").read_text().split()
    private = int(pages[1]) - int(pages[2])
    return round(private * os.sysconf("SC_PAGE_SIZE") / 2**20, 1)
