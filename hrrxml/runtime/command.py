"""Runs every command: reads its arguments, and prints an error as one line."""

import errno
import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from hrrxml.runtime.errors import UserError

PROGRAMS = ("dvc", "git")  # run by some commands


def run(main: Callable[..., None]) -> None:
    """Call `main` with the command line's arguments; a UserError prints no traceback.

    DVC gives a stage such as `train@wordnet-fc` no arguments: its name holds the argument.
    """
    arguments = sys.argv[1:] or _item_of_dvc_stage()
    try:
        inspect.signature(main).bind(*arguments)
    except TypeError:
        sys.exit(_usage(main))
    try:
        main(*arguments)
    except UserError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        sys.exit(f"error: {_explain(error)}")
    except subprocess.CalledProcessError as error:
        why = error.stderr or f"exit code {error.returncode}"
        sys.exit(f"error: `{' '.join(error.cmd)}` failed: {why.strip()}")
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        details = next(iter(str(error).splitlines()), "no details")
        sys.exit(
            f"error: out of memory ({details}); free some memory, or, if a model is trained or "
            "asked, lower train.batch_size, the head's dim or the encoder's hidden size"
        )


def _usage(main: Callable[..., None]) -> str:
    spec = sys.modules["__main__"].__spec__
    words = ["usage: python -m", spec.name if spec else sys.argv[0]]
    for name, parameter in inspect.signature(main).parameters.items():
        variadic = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        words.append(f"[<{name}> ...]" if variadic else f"<{name}>")
    return " ".join(words)


def _item_of_dvc_stage() -> list[str]:
    _, at, item = os.environ.get("DVC_STAGE", "").rpartition("@")
    return [item] if at else []


def _explain(error: OSError) -> str:
    """Where a file could not be written, why, and the cure; other errors are raised again."""
    if error.errno == errno.ENOENT and error.filename in PROGRAMS:
        return f"{error.filename}: no such program; install it and run this again"
    cures = {
        errno.ENOSPC: "free some space",
        errno.EDQUOT: "free some space",
        errno.EFBIG: "raise the file size limit (ulimit -f)",
        errno.EROFS: "make it writable",
        errno.EACCES: "make it writable",
        errno.EPERM: "make it writable",
    }
    if error.errno not in cures:
        raise error
    place = error.filename
    if place and error.errno == errno.EROFS:
        place = Path(place).resolve().parent  # no single file is at fault
    where = f"{place}: " if place else ""
    cure = f"{cures[error.errno]} and run it again"
    return f"{where}{error.strerror}; {cure}; it resumes from the last checkpoint, if any"


def _is_out_of_memory(error: Exception) -> bool:
    """On the CPU, torch raises a plain RuntimeError: only its text shows the reason."""
    texts = "not enough memory", "can't allocate memory", "Cannot allocate memory"
    matches = any(text in str(error) for text in texts)
    return matches or type(error).__name__ in ("MemoryError", "OutOfMemoryError")
