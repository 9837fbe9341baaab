"""The page and the API as one ASGI application."""

from pathlib import Path

from fastapi import FastAPI
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

import hrrxml
from hrrxml.serve import api, errors
from hrrxml.serve.bounded import Bounded
from hrrxml.serve.security import Secured
from hrrxml.serve.served import Served
from hrrxml.serve.worker import Worker

PAGE = Path(__file__).parent / "page"


def build(models: dict[str, Served], host: str) -> ASGIApp:
    """The application. `host` is the address that it is reached at."""
    app = FastAPI(
        title="hrrxml",
        version=hrrxml.__version__,
        description="What classifiers say about texts, and what binding does.",
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere
        redoc_url=None,
    )
    app.state.desk = api.Desk(models, Worker())
    app.include_router(api.router)
    app.mount("/", StaticFiles(directory=PAGE, html=True), name="page")
    errors.install(app)
    return Secured(Discreet(Bounded(app)), host)


class Discreet:
    """Logs an unexpected error without its message, which may quote a user.

    The client has its answer by then; one that had begun is cut off.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self.app(scope, receive, send)
        except Exception as error:
            errors.log_fault(error)
