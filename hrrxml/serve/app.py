"""The page and the API as one ASGI application."""

from pathlib import Path

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

import hrrxml
from hrrxml.serve import api, errors
from hrrxml.serve.bounded import Bounded
from hrrxml.serve.security import Secured
from hrrxml.serve.served import Served
from hrrxml.serve.worker import Worker

PAGE = Path(__file__).parent / "page"


def build(models: dict[str, Served], *names: str) -> ASGIApp:
    """The application. It answers to these names, to localhost, and to addresses in numbers."""
    app = FastAPI(
        title="hrrxml",
        version=hrrxml.__version__,
        description="What classifiers say about texts, and what binding does.",
        docs_url=None,  # FastAPI's own pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.desk = api.Desk(models, Worker())
    app.include_router(api.router)
    app.router.default = Page(directory=PAGE, html=True)
    errors.install(app)
    return Secured(Discreet(Bounded(app)), names)


class Page(StaticFiles):
    """The page's files. A request for the API that comes here has a wrong address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].startswith("/api/"):
            raise HTTPException(404)
        if scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        await super().__call__(scope, receive, send)


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
