"""The one thread that computes, so that requests wait in order and do not slow one another down."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hrrxml.runtime import progress
from hrrxml.serve import limits
from hrrxml.serve.errors import Refused


class Worker:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="model")
        self._waiting = 0

    async def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a call on the thread. A request whose client has left loses its place."""
        if self._waiting >= limits.WAITING:
            raise Refused(503, "too many requests at once; try again in a second")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, _quietly, work, arguments)
        finally:
            self._waiting -= 1


def _quietly(work: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    with progress.shown(False):
        return work(*arguments)
