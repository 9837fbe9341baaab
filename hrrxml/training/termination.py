"""SIGTERM, as a machine gets it that is about to be taken away: noted, acted on between batches."""

import signal

_received: list[int] = []


def finish_batch_on_sigterm() -> None:
    """From now on the signal waits for the batch to end and a checkpoint to be written."""
    signal.signal(signal.SIGTERM, lambda number, _frame: _received.append(number))


def asked() -> bool:
    return bool(_received)
