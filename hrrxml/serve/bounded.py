"""Requests that are too long, too slow or too many are refused before anything reads them."""

import asyncio
from collections import Counter
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hrrxml.serve import errors, limits
from hrrxml.serve.errors import Refused

UPLOAD = "/api/file"


@dataclass(frozen=True)
class Bounds:
    bytes: int  # of a body
    at_once: int


OTHERS = Bounds(limits.BODY, limits.REQUESTS)
BOUNDS = {UPLOAD: Bounds(limits.FILE, limits.UPLOADS)}


class Bounded:
    """Reads the body of a request, and hands it on whole. Stops the work when the client leaves."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._open: Counter[Bounds] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        bounds = BOUNDS.get(scope["path"], OTHERS)
        if self._open[bounds] >= bounds.at_once:
            await errors.answer(503, errors.MEANINGS[503])(scope, receive, send)
            return
        self._open[bounds] += 1
        try:
            body = await _read(Headers(scope=scope), receive, bounds.bytes)
            if body is not None:
                await _answer(self.app, scope, body, receive, send)
        except Refused as error:
            await errors.answer(error.status, str(error))(scope, receive, send)
        finally:
            self._open[bounds] -= 1


async def _read(headers: Headers, receive: Receive, most: int) -> bytes | None:
    """The body; None if the client left. Of one that is too long, the rest is dropped."""
    parts: list[bytes] = []
    size = 0
    length = headers.get("content-length", "0")
    announced = int(length) if length.isdecimal() else 0
    try:
        async with asyncio.timeout(limits.SECONDS):
            while announced <= limits.DRAINED and size <= limits.DRAINED:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                size += len(part)
                if size <= most:
                    parts.append(part)
                if not message.get("more_body", False):
                    break
    except TimeoutError as error:
        raise Refused(
            408, f"the request took over {limits.SECONDS} seconds to arrive; send it again"
        ) from error
    if max(size, announced) > most:
        raise Refused(413, f"longer than {most:,} bytes; send less at a time")
    return b"".join(parts)


async def _answer(app: ASGIApp, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
    """Run the app until it has answered, or until nobody waits for the answer."""
    left = asyncio.Event()
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        for message in messages:
            return message
        await left.wait()
        return {"type": "http.disconnect"}

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        left.set()

    answering = asyncio.ensure_future(app(scope, replay, send))
    watching = asyncio.ensure_future(watch())
    try:
        await asyncio.wait({answering, watching}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watching.cancel()
        if not answering.done():
            answering.cancel()
    try:
        await answering
    except asyncio.CancelledError:
        if not left.is_set():
            raise
