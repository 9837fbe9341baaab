"""The version of the library that trained a model, for the model's card."""

import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import hrrxml


@dataclass(frozen=True)
class Origin:
    version: str
    commit: str | None = None  # None: installed as a package, whose version says it all
    changed: bool = False  # whether the checkout differed from its commit

    def __str__(self) -> str:
        if self.commit is None:
            return self.version
        return f"{self.version}, commit {self.commit}{' with changes' if self.changed else ''}"


@cache
def this_library() -> Origin:
    """The running library, and its commit if it runs from a git checkout of its own."""
    version = hrrxml.__version__
    # A package in a user's repository is not tracked there: its commit would be the user's.
    if not _git("ls-files", "--error-unmatch", "__init__.py"):
        return Origin(version)
    commit = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".")
    return Origin(version, commit or None, bool(changed))


def _git(*words: str) -> str:
    """What git prints about the library's folder; nothing if it fails, or is not installed."""
    folder = str(Path(hrrxml.__file__).parent)
    environment = {name: value for name, value in os.environ.items() if name[:4] != "GIT_"}
    try:
        done = subprocess.run(
            ["git", "-C", folder, *words], capture_output=True, text=True, env=environment
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
