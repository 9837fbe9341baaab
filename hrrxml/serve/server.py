"""Listens on an address and answers until it is stopped."""

import errno
import socket
from ipaddress import ip_address

import uvicorn
from starlette.types import ASGIApp

from hrrxml.runtime.errors import UserError
from hrrxml.serve import limits
from hrrxml.serve.connections import Prompt

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


def name(server: socket.socket) -> str:
    """The name in its address: of a server on all addresses of this machine, the machine's."""
    host: str = server.getsockname()[0]
    return socket.gethostname() if ip_address(host).is_unspecified else host


def address(server: socket.socket) -> str:
    """What to type into a browser."""
    host, port = name(server), server.getsockname()[1]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(app: ASGIApp, server: socket.socket) -> None:
    """Answer until Ctrl-C. No request is logged: it would quote what was typed."""
    config = uvicorn.Config(
        app,
        http=Prompt,
        access_log=False,
        log_level="warning",
        lifespan="off",
        ws="none",
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run(sockets=[server])
