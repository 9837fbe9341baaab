"""Every error is one JSON object, `{"error": "what is wrong; the cure"}`, with its status code.

Nothing that a user typed is written to the log: of a fault in this program, only its type and the
lines of code.
"""

import logging
import traceback
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from hrrxml.runtime.errors import UserError

LOG = logging.getLogger("uvicorn.error")
MEANINGS = {
    400: "not JSON",
    403: "asked for by another site, or under another name than this server's",
    404: "no such model, label or page",
    405: "another method than the address takes",
    408: "the request did not arrive in time",
    410: "the model's files were removed or replaced since the server started",
    413: "too long, or too many",
    415: "not a text file",
    422: "a value is missing or wrong",
    500: "a fault in this program",
    503: "too many requests at once; try again",
}
# What Starlette and FastAPI say in two words.
CURES = {
    400: "the body is not JSON; send one JSON object",
    404: "there is no such page; /openapi.json lists the addresses",
    405: "this address does not take such a request; /openapi.json says what it takes",
}
EMPTY = {
    "text": "type a few words",
    "statement": "write one, such as a * b + c * d",
}


class Refused(UserError):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def answer(status: int, message: str, headers: Any = None) -> JSONResponse:
    more = {"Retry-After": "1"} if status == 503 else {}
    return JSONResponse({"error": message}, status, headers=dict(headers or {}) | more)


def install(app: FastAPI) -> None:
    """Answer each kind of error in the one form."""

    @app.exception_handler(UserError)
    async def refuse(request: Request, error: UserError) -> JSONResponse:
        return answer(getattr(error, "status", 422), str(error))

    @app.exception_handler(HTTPException)
    async def refuse_path(request: Request, error: HTTPException) -> JSONResponse:
        message = CURES.get(error.status_code, str(error.detail))
        return answer(error.status_code, message, error.headers)

    @app.exception_handler(RequestValidationError)
    async def refuse_values(request: Request, error: RequestValidationError) -> JSONResponse:
        found = error.errors()
        status = 400 if any(entry["type"] == "json_invalid" for entry in found) else 422
        return answer(status, "; ".join(dict.fromkeys(map(_describe, found))))

    @app.exception_handler(Exception)
    async def admit(request: Request, error: Exception) -> JSONResponse:
        return answer(500, "a fault in this program; its log says where")


def _describe(entry: Any) -> str:
    """Where a value is wrong, and how; without the value."""
    where = ".".join(str(part) for part in entry["loc"] if part not in ("body", "query"))
    if entry["type"] == "json_invalid":
        return CURES[400]
    if entry["type"] == "string_pattern_mismatch":
        return f"{where}: empty; {EMPTY[where]}"
    if entry["type"] == "string_too_long":
        return f"{where}: longer than {entry['ctx']['max_length']:,} characters; shorten it"
    return f"{where or 'the body'}: {entry['msg'][:1].lower()}{entry['msg'][1:]}"


def log_fault(error: BaseException) -> None:
    """The type of an unexpected error and its lines of code: its message may quote a user."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    LOG.error("a fault in this program: %s\n%s", type(error).__name__, frames)
