"""Time several pieces of work in turn, so that a slow moment hits all of them."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np
import torch

Work = Callable[[], Any]


def milliseconds(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """The median time of each, over `repeats` rounds after one round to warm up."""
    for work in works.values():
        work()
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(once(work))
    return {name: median(measured) for name, measured in times.items()}


def once(work: Work) -> float:
    """Milliseconds of one call."""
    start = perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return 1000 * (perf_counter() - start)


def median(times: list[float]) -> float:
    return round(float(np.median(times)), 4)


def speed_up(theirs: float, ours: float) -> float:
    return round(theirs / ours, 3)
