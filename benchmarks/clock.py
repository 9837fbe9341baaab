"""Time several pieces of work in turn, so that a slow moment hits all of them."""

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np
import torch

Work = Callable[[], Any]


def milliseconds(works: Mapping[str, Work], repeats: int) -> dict[str, float]:
    """The median time of each, over `repeats` rounds after one to warm up, as `{name}_ms`."""
    rounds = [{name: once(work) for name, work in works.items()} for _ in range(repeats + 1)]
    return {f"{name}_ms": median([times[name] for times in rounds[1:]]) for name in works}


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


def conditions(repeats: int, **sizes: float) -> dict[str, float]:
    """What a result says about how it was measured."""
    return {**sizes, "threads": torch.get_num_threads(), "repeats": repeats}
