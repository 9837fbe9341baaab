"""What protects a local server from the other pages in the same browser.

A page of another site can send requests to this machine. It cannot choose their `Origin`. And it
cannot read an answer, unless it makes its own name point here (DNS rebinding): then `Host` has
that name.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hrrxml.serve import errors

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Secured:
    """Adds the headers to every answer, and refuses what other sites send."""

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self.app = app
        self.names = {"localhost", *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers["Cache-Control"] = (
                    "no-store" if scope["path"].startswith("/api/") else "no-cache"
                )
            await send(message)

        fault = self._fault(scope)
        app = errors.answer(403, fault) if fault else self.app
        await app(scope, receive, send_with_headers)

    def _fault(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_ours(host):
            return "this server does not answer to that name; use the address that it printed"
        if origin is not None and origin != f"{scope['scheme']}://{host}":
            return "another site may not ask this server; open its own page"
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        if elsewhere and scope["path"].startswith("/api/"):
            return "another site may not ask this server; open its own page"
        return None

    def _is_ours(self, host: str) -> bool:
        """Whether a `Host` is this machine's: a number can be no other site's name."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.names or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
