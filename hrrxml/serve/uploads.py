"""A file of texts: read as `hrrxml predict` reads it, and answered as it answers."""

import io
import re
from collections.abc import AsyncIterator
from typing import Literal

from hrrxml.command import reading, writing
from hrrxml.runtime.errors import UserError
from hrrxml.serve import limits
from hrrxml.serve.errors import Refused
from hrrxml.serve.served import Served
from hrrxml.serve.worker import Worker

Format = Literal["tsv", "jsonl"]
TYPES = {"tsv": "text/tab-separated-values", "jsonl": "application/jsonl"}
AT_ONCE = 64  # texts; between two blocks, others have their turn
NAME = "file"  # what messages call it
PLACE = re.compile(r"line 1 (column \d+) \(char \d+\)")  # in a line of JSON Lines


def read(content: bytes) -> list[str]:
    """The texts of a file: one a line, or JSON Lines."""
    if not content:
        raise Refused(422, f"{NAME}: empty; give one text a line")
    if b"\0" in content:
        raise Refused(415, f"{NAME}: not a text file; give one text a line, in UTF-8")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Refused(415, f"{NAME}:{line}: not a text in UTF-8; save it as UTF-8") from error
    found: list[str] = []
    try:
        for block in reading.texts_of(io.BytesIO(content), NAME):
            found += block
            if len(found) > limits.TEXTS:
                raise Refused(413, f"{NAME}: over {limits.TEXTS:,} texts; give it in parts")
    except Refused:
        raise
    except UserError as error:
        raise Refused(422, PLACE.sub(r"\1", str(error))) from error
    _check_lengths(found)
    return found


def _check_lengths(texts: list[str]) -> None:
    for number, text in enumerate(texts, start=1):
        if len(text) > limits.TEXT:
            raise Refused(
                413, f"{NAME}:{number}: a text of over {limits.TEXT:,} characters; shorten it"
            )


async def answer(
    worker: Worker, served: Served, texts: list[str], k: int, among: list[str], form: Format
) -> AsyncIterator[str]:
    """The lines of the answer, block by block."""
    line, what = writing.FORMATS[form], served.facts()["numbers"]
    for start in range(0, len(texts), AT_ONCE):
        block = texts[start : start + AT_ONCE]
        answers = await worker.run(served.predict, block, k, among)
        rows = enumerate(zip(block, answers, strict=True), start=start + 1)
        yield "".join(line(number, text, answer, what) for number, (text, answer) in rows)
