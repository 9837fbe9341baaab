"""Progress bars in one style; none is shown for less than a second."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from tqdm import tqdm

# True: shown; False: hidden; None: shown on a terminal alone
_wanted: ContextVar[bool | None] = ContextVar("wanted", default=True)


@contextmanager
def shown(wanted: bool | None) -> Iterator[None]:
    """Within the block, bars are shown (True), hidden (False), or shown on a terminal (None)."""
    before = _wanted.set(wanted)
    try:
        yield
    finally:
        _wanted.reset(before)


def bar(items: Iterable[Any] | None, **options: Any) -> Any:
    wanted = _wanted.get()
    hidden: bool | None = None if wanted is None else not wanted  # tqdm, too, reads None so
    if os.environ.get("RANK", "0") != "0":  # only the first process shows a bar
        hidden = True
    return tqdm(items, delay=1, mininterval=0.5, dynamic_ncols=True, disable=hidden, **options)


def bytes_bar(title: str, total: int | None, done: int = 0) -> Any:
    """Progress through a file or a download, in bytes; the caller calls `update`."""
    return bar(
        None, desc=title, total=total, initial=done, unit="B", unit_scale=True, unit_divisor=1024
    )
