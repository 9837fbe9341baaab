"""Start the `train.processes` processes of one training, and wait for them.

It replaces torchrun, whose processes each have a session of their own and would survive a kill of
the process group. An error is one line here, not a report.
"""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep

import torch

from hrrxml.config.schema import Train
from hrrxml.runtime.device import choose_device
from hrrxml.runtime.errors import UserError
from hrrxml.training import distributed
from hrrxml.training.termination import finish_batch_on_sigterm

GRACE = 20  # seconds that processes get to end after a signal


def train(settings: Train, work: Callable[[], None]) -> None:
    """Do the work in this process, or start `settings.processes` processes that do it.

    The started processes call this function again. They find each other through the same
    environment variables that torchrun sets.
    """
    if "WORLD_SIZE" not in os.environ and settings.processes > 1:
        _start(settings.processes)
        return
    with distributed.joined(choose_device(settings.device)):
        finish_batch_on_sigterm()
        work()


def _start(n: int) -> None:
    common = {
        "WORLD_SIZE": str(n),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(_free_port()),
        # The processes share the cores: one core per thread.
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", str(_threads(n))),
    }
    main = sys.modules["__main__"].__spec__
    assert main is not None, "start it with python -m"
    command = [sys.executable, "-m", main.name, *sys.argv[1:]]
    processes: list[subprocess.Popen[bytes]] = []
    signal.signal(signal.SIGTERM, lambda *_: _send(signal.SIGTERM, processes))
    try:
        for rank in range(n):
            own = {"RANK": str(rank), "LOCAL_RANK": str(rank)}
            processes.append(subprocess.Popen(command, env=os.environ | common | own))
        first_to_fail = _wait(processes)
    finally:
        _end(processes)
    if first_to_fail is not None:
        _fail(first_to_fail, n, processes[first_to_fail].returncode)


def _threads(n: int) -> int:
    return max(1, torch.get_num_threads() // n)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(processes: list[subprocess.Popen[bytes]]) -> int | None:
    """Wait until all succeed (None) or one fails: its number.

    If several failed, return the one that was killed: it made the others fail.
    """
    while True:
        codes = [process.poll() for process in processes]
        if failed := [(code, rank) for rank, code in enumerate(codes) if code]:
            return min(failed)[1]
        if all(code == 0 for code in codes):
            return None
        sleep(0.1)


def _end(processes: list[subprocess.Popen[bytes]]) -> None:
    """End the processes that still run: they wait for one that has failed."""
    for stop in (signal.SIGTERM, signal.SIGKILL):
        _send(stop, processes)
        deadline = monotonic() + GRACE
        for process in processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, deadline - monotonic()))


def _send(number: signal.Signals, processes: list[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            process.send_signal(number)


def _fail(rank: int, n: int, code: int) -> None:
    """Exit with an error. A child that was not killed has already printed its own."""
    if code == 128 + signal.SIGTERM:
        sys.exit(code)
    if code > 0:
        sys.exit(1)
    raise UserError(
        f"process {rank} of {n} was killed ({signal.Signals(-code).name}); "
        "run it again to resume from the last checkpoint"
    )
