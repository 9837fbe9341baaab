"""Read the results of the last commit, to compare this run with them."""

import json
import subprocess
from pathlib import Path
from typing import Any

from hrrxml.runtime.errors import UserError


def commit() -> str | None:
    """The short hash of the last commit, or None without git or without a commit."""
    text = _git("rev-parse", "--short", "HEAD")
    return text and text.strip()


def read(path: Path) -> Any:
    """A JSON file as the last commit has it, or None if it does not have it."""
    text = _git("show", f"HEAD:./{path}")
    try:
        return text and json.loads(text)
    except ValueError as error:
        raise UserError(f"{path}: not valid JSON in the last commit; commit it again") from error


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], capture_output=True, text=True, encoding="utf-8")
    except FileNotFoundError:  # git is not installed
        return None
    return done.stdout if done.returncode == 0 else None
