"""Listens on an address and answers until it is stopped."""

import errno
import socket

import uvicorn
from starlette.types import ASGIApp

from hrrxml.runtime.errors import UserError
from hrrxml.serve import limits

CURES = {
    errno.EADDRINUSE: "another server has this port; choose one with --port (0: any free one)",
    errno.EACCES: "ports below 1024 need permission; choose another with --port",
    errno.EADDRNOTAVAIL: "this machine has no such address; choose another with --host",
}


def listen(host: str, port: int) -> socket.socket:
    """A socket that nobody else has."""
    try:
        family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(place[:2], family=family, backlog=limits.CONNECTIONS)
    except (socket.gaierror, UnicodeError) as error:
        raise UserError(f"--host {host}: no such address; 127.0.0.1 is this machine") from error
    except OSError as error:
        cure = CURES.get(error.errno or 0, error.strerror or "choose another address")
        raise UserError(f"{host}:{port}: {cure}") from error


def address(server: socket.socket) -> str:
    """What to type into a browser."""
    host, port = server.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(app: ASGIApp, server: socket.socket) -> None:
    """Answer until Ctrl-C. No request is logged: it would quote what was typed."""
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=limits.CONNECTIONS,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[server])
