"""SIGTERM, sent for example before a machine is shut down, takes effect between batches."""

import signal

_received: list[int] = []


def finish_batch_on_sigterm() -> None:
    """Record SIGTERM from now on instead of ending: the loop then saves a checkpoint and exits."""
    signal.signal(signal.SIGTERM, lambda number, _frame: _received.append(number))


def requested() -> bool:
    return bool(_received)
