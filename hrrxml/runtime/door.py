"""Say in one line why a command cannot start: an old Python, or a missing package.

`import hrrxml` imports this module before everything else. So it needs no package, and an older
Python can read it.
"""

import sys
from types import TracebackType

OLDEST = (3, 11)
PROJECT = ("benchmarks", "hrrxml", "papers", "stages")  # packages that `python -m` starts

if sys.version_info < OLDEST:
    needed, found = (".".join(map(str, version[:2])) for version in (OLDEST, sys.version_info))
    sys.exit(
        f"error: hrrxml needs Python {needed} or newer, but {sys.executable} is Python {found}; "
        "activate an environment with a newer Python"
    )


def is_command(words: list[str]) -> bool:
    """Whether a command line is `python -m` with a module of the project."""
    after = words[words.index("-m") + 1 :] if "-m" in words else []
    return bool(after) and after[0].split(".")[0] in PROJECT


def explain(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print a missing package as one line, and any other error with its traceback."""
    name = error.name if isinstance(error, ModuleNotFoundError) else None
    if name is None or name.split(".")[0] in PROJECT:
        sys.__excepthook__(kind, error, trace)
    else:
        print(
            f"error: {sys.executable} has no package {name!r}; activate the project's environment, "
            'or run `pip install -e ".[pipeline]"` in it',
            file=sys.stderr,
        )


if is_command(sys.orig_argv):
    sys.excepthook = explain
