"""Connections whose requests begin too late, or that are too many."""

import asyncio
from typing import Any

import h11
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from hrrxml.serve import errors, limits, security

FULL: ASGIApp = errors.answer(503, errors.MEANINGS[503], security.HEADERS | {"Connection": "close"})


class Prompt(H11Protocol):
    """Closes a connection if the header of a request takes too long. Then others have its place."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > limits.CONNECTIONS:
            self.app = FULL
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop()

    def _watch(self) -> None:
        """The time runs until a header is whole."""
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._timer is None:
            self._timer = self.loop.call_later(limits.SECONDS, self.transport.close)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
