"""Records: what was measured, with its settings and provenance. The study reads nothing else.

    papers/records/runs/bibtex-fc.json

A record is never edited. `python -m papers.record` replaces it with a newer measurement.
"""

import json
import re
from pathlib import Path
from typing import Any

from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_text

FOLDER = Path(__file__).with_name("records")
KINDS = ("runs", "followed", "peers", "benchmarks", "datasets", "experiments")

Record = dict[str, Any]  # `provenance`, and what was measured


def path(kind: str, name: str) -> Path:
    return FOLDER / kind / f"{name}.json"


def write(kind: str, name: str, record: Record) -> None:
    """Sorted keys; a list of numbers takes one line, so that a diff shows what moved."""
    text = json.dumps(record, indent=1, sort_keys=True, ensure_ascii=False)
    flat = re.sub(r"\[\s+([^][{}]*?)\s+\]", lambda list_: f"[{_one_line(list_[1])}]", text)
    write_text(path(kind, name), flat + "\n")


def _one_line(items: str) -> str:
    return re.sub(r",\s+", ", ", items)


def read(kind: str, name: str) -> Record:
    if not path(kind, name).exists():
        raise UserError(f"{path(kind, name)}: no such record; `ls {FOLDER}/{kind}` shows them")
    record: Record = json.loads(path(kind, name).read_text())
    return record


def names(kind: str) -> list[str]:
    return sorted(file.stem for file in (FOLDER / kind).glob("*.json"))


def read_all(kind: str) -> dict[str, Record]:
    return {name: read(kind, name) for name in names(kind)}
