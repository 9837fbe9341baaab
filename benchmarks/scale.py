"""Bytes, nanoseconds and traffic per label, which docs/scale.md extrapolates from.

    python -m benchmarks.scale    one process and then two, one thread each; three minutes

It runs the holographic head without an encoder: training steps with Adam, and exact search.
"""

import os
import socket
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import torch
import torch.distributed as dist

from benchmarks.shapes import shapes
from benchmarks.synthetic import make_batches
from hrrxml.config import params
from hrrxml.data.points import Points
from hrrxml.heads.holographic import Head
from hrrxml.report.markdown import markdown_table
from hrrxml.runtime.files import read_tensors, write_tensors
from hrrxml.training import distributed
from hrrxml.training.determinism import make_deterministic

DIM, BATCH, STEPS = 1000, 32, 5
LABELS = (1_000_000, 4_000_000)
QUERIES = 32


def build(n_labels: int) -> tuple[Head, torch.optim.Adam]:
    make_deterministic(0)
    update = {"dim": DIM, "shortcut": None}
    settings = params.load().section("holographic").model_copy(update=update)
    generator = torch.Generator().manual_seed(0)
    tables = Head.tables(settings, batch_of(n_labels), generator)
    head = Head(settings, DIM, 1, tables)
    return head, torch.optim.Adam(head.parameters(), lr=1e-3)


def batch_of(n_labels: int) -> Points:
    """BATCH points with the labels per point of Amazon-670K."""
    shape = replace(shapes()["amazon-670k"], labels=n_labels, batch=BATCH)
    return make_batches(shape, 1)[0]


def step(head: Head, optimiser: torch.optim.Adam, encoded: torch.Tensor, batch: Points) -> None:
    part = distributed.part(batch)
    rows = torch.arange(len(batch)).tensor_split(distributed.processes())[distributed.rank()]
    optimiser.zero_grad()
    head.loss(encoded[rows], part).backward()
    if distributed.processes() > 1:
        distributed.sum_gradients(head.parameters(), [])
    optimiser.step()


def bytes_of(head: Head, optimiser: torch.optim.Adam) -> int:
    tensors = [*head.parameters(), *head.buffers()]
    tensors += [p.grad for p in head.parameters() if p.grad is not None]
    tensors += [v for state in optimiser.state.values() for v in state.values()]
    return sum(t.numel() * t.element_size() for t in tensors)


def measure(n_labels: int) -> dict[str, float]:
    head, optimiser = build(n_labels)
    batch = batch_of(n_labels)
    encoded = torch.randn(BATCH, DIM, generator=torch.Generator().manual_seed(1))
    step(head, optimiser, encoded, batch)
    sent = _count_traffic()
    times = []
    for _ in range(STEPS):
        start = perf_counter()
        step(head, optimiser, encoded, batch)
        times.append(perf_counter() - start)
    result = {"step": statistics.median(times), "bytes": bytes_of(head, optimiser)}
    result["traffic"] = sent[0] / STEPS
    rows = torch.arange(QUERIES).tensor_split(distributed.processes())[distributed.rank()]
    with torch.no_grad():
        start = perf_counter()
        head.top_k(encoded[:QUERIES][rows], distributed.part(batch), 5)
        result["search"] = perf_counter() - start
    return result


def _count_traffic() -> list[int]:
    """Bytes that this process passes to all_reduce and all_gather from now on."""
    sent = [0]
    for name in ("all_reduce", "all_gather"):
        original = getattr(dist, name)

        def counted(*arguments: Any, original: Any = original, name: str = name) -> Any:
            tensor = arguments[0] if name == "all_reduce" else arguments[1]
            sent[0] += tensor.numel() * tensor.element_size()
            return original(*arguments)

        setattr(dist, name, counted)
    return sent


def _process(rank: int, n: int, port: int, folder: str) -> None:
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(n)}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    torch.set_num_threads(1)
    with distributed.joined(torch.device("cpu")):
        results = {f"{n}.{key}": value for n in LABELS for key, value in measure(n).items()}
    if rank == 0:
        tensors = {key: torch.tensor(value, dtype=torch.float64) for key, value in results.items()}
        write_tensors(Path(folder, "results"), tensors)


def in_processes(n: int) -> dict[str, float]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    start: Any = torch.multiprocessing.spawn  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        start(_process, (n, port, folder), nprocs=n)
        return {key: float(value) for key, value in read_tensors(Path(folder, "results")).items()}


def main() -> None:
    results = {n: in_processes(n) for n in (1, 2)}

    def row(title: str, n: int, key: str, scale: float) -> list[str]:
        return [title, *(f"{scale * results[n][f'{m}.{key}'] / m:.2f}" for m in LABELS)]

    rows = [
        ["per label", *(f"{m:,} labels" for m in LABELS)],
        row("bytes kept", 1, "bytes", 1),
        row("bytes kept by each of two processes", 2, "bytes", 1),
        row("bytes sent by each of two processes per step", 2, "traffic", 1),
        row("step, ns per point", 1, "step", 1e9 / BATCH),
        row("step of two processes, ns per point", 2, "step", 1e9 / BATCH),
        row("search, ns per query", 1, "search", 1e9 / QUERIES),
        row("search by two processes, ns per query", 2, "search", 1e9 / QUERIES),
    ]
    print(markdown_table(rows))


if __name__ == "__main__":
    main()
