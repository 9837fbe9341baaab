"""Bytes, nanoseconds and traffic per label, which docs/scale.md extrapolates from.

    python -m benchmarks.scale    one process and then two, one thread each; three minutes

It runs the holographic head without an encoder: training steps with Adam, and exact search.
"""

import os
import socket
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import repeat
from multiprocessing import get_context
from typing import Any

import torch
import torch.distributed as dist

from benchmarks import clock
from benchmarks.models import build_head, change
from benchmarks.shapes import SEED, make_batches, shapes
from benchmarks.vectors import TOP
from hrrxml.config import params
from hrrxml.report.markdown import markdown_table
from hrrxml.training import distributed
from hrrxml.training.determinism import make_deterministic

DIM, BATCH, STEPS = 1000, 32, 5
LABELS = (1_000_000, 4_000_000)


def main() -> None:
    results = {n: _in_processes(n) for n in (1, 2)}

    def row(title: str, n: int, key: str, scale: float = 1) -> list[str]:
        return [title, *(f"{scale * results[n][m][key] / m:.2f}" for m in LABELS)]

    rows = [
        ["per label", *(f"{m:,} labels" for m in LABELS)],
        row("bytes kept", 1, "bytes"),
        row("bytes kept by each of two processes", 2, "bytes"),
        row("bytes sent by each of two processes per step", 2, "traffic"),
        row("step, ns per point", 1, "step_ms", 1e6 / BATCH),
        row("step of two processes, ns per point", 2, "step_ms", 1e6 / BATCH),
        row("search, ns per query", 1, "search_ms", 1e6 / BATCH),
        row("search by two processes, ns per query", 2, "search_ms", 1e6 / BATCH),
    ]
    print(markdown_table(rows))


def _in_processes(n: int) -> dict[int, dict[str, float]]:
    """What the first of `n` processes measured, by number of labels."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with ProcessPoolExecutor(n, mp_context=get_context("spawn")) as pool:
        first, *_ = pool.map(_process, range(n), repeat(n), repeat(port))
        return first


def _process(rank: int, n: int, port: int) -> dict[int, dict[str, float]]:
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(n)}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    with distributed.joined(torch.device("cpu")):
        return {n_labels: _measure(n_labels) for n_labels in LABELS}


def _measure(n_labels: int) -> dict[str, float]:
    make_deterministic(SEED)
    size = replace(shapes()["amazon-670k"], labels=n_labels, batch=BATCH)
    [batch] = make_batches(replace(size, features=1, features_per_point=1), 1)
    settings = change(params.load(), holographic={"dim": DIM, "shortcut": None})
    head = build_head("holographic", settings, batch, DIM)
    optimiser = torch.optim.Adam(head.parameters(), lr=1e-3)
    rows = torch.arange(BATCH).tensor_split(distributed.processes())[distributed.rank()]
    own, encoded = distributed.part(batch), torch.randn(BATCH, DIM)[rows]

    def step() -> None:
        optimiser.zero_grad()
        head.loss(encoded, own).backward()
        if distributed.processes() > 1:
            distributed.sum_gradients(head.parameters(), [])
        optimiser.step()

    with torch.no_grad():
        times = clock.milliseconds({"search": lambda: head.top_k(encoded, own, TOP)}, STEPS)
    times |= clock.milliseconds({"step": step}, STEPS)
    kept = [*head.parameters(), *head.buffers(), *(p.grad for p in head.parameters())]
    kept += [value for state in optimiser.state.values() for value in state.values()]
    size_of = sum(tensor.nbytes for tensor in kept if tensor is not None)
    return times | {"bytes": size_of, "traffic": _traffic(step)}


def _traffic(work: clock.Work) -> int:
    """Bytes that this process passes to all_reduce and all_gather."""
    sent, originals = 0, {name: getattr(dist, name) for name in ("all_reduce", "all_gather")}
    for place, (name, original) in enumerate(originals.items()):

        def counted(*arguments: Any, original: Any = original, place: int = place) -> Any:
            nonlocal sent
            sent += arguments[place].nbytes  # all_gather's first argument is for the results
            return original(*arguments)

        setattr(dist, name, counted)
    work()
    for name, original in originals.items():
        setattr(dist, name, original)
    return sent


if __name__ == "__main__":
    main()
