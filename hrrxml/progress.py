"""One look for every progress bar; none for what takes under a second."""

from collections.abc import Iterable
from typing import Any

from tqdm import tqdm


def bar(items: Iterable[Any], **options: Any) -> Any:
    return tqdm(items, delay=1, mininterval=0.5, dynamic_ncols=True, **options)
