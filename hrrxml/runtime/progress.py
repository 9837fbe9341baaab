"""One look for every progress bar; none for what takes under a second."""

import os
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm


def bar(items: Iterable[Any] | None, **options: Any) -> Any:
    others = os.environ.get("RANK", "0") != "0"  # of several processes the first shows its own
    return tqdm(items, delay=1, mininterval=0.5, dynamic_ncols=True, disable=others, **options)


def bytes_bar(what: str, total: int | None, done: int = 0) -> Any:
    """Progress through a file or a download, in bytes; `update` it by hand."""
    return bar(
        None, desc=what, total=total, initial=done, unit="B", unit_scale=True, unit_divisor=1024
    )
