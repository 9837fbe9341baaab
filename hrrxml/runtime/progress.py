"""Progress bars in one style; none is shown for less than a second."""

import os
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm


def bar(items: Iterable[Any] | None, **options: Any) -> Any:
    hidden = os.environ.get("RANK", "0") != "0"  # only the first process shows a bar
    return tqdm(items, delay=1, mininterval=0.5, dynamic_ncols=True, disable=hidden, **options)


def bytes_bar(title: str, total: int | None, done: int = 0) -> Any:
    """Progress through a file or a download, in bytes; the caller calls `update`."""
    return bar(
        None, desc=title, total=total, initial=done, unit="B", unit_scale=True, unit_divisor=1024
    )
