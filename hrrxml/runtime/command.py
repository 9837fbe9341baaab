"""How every command starts and fails: arguments from the command line, one line per error."""

import errno
import inspect
import os
import sys
from collections.abc import Callable

from hrrxml.runtime.errors import UserError


def run(main: Callable[..., None]) -> None:
    """Call `main` with the command line's arguments; a user's mistake ends without traceback.

    Run by DVC, a stage `train@wordnet-fc` has no arguments, and is told what it is for by name.
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
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        sys.exit(
            f"error: out of memory ({str(error).splitlines()[0] or 'no more to be had'}); lower "
            "train.batch_size, the head's dim or the encoder's hidden size, or free some memory"
        )


def _usage(main: Callable[..., None]) -> str:
    spec = sys.modules["__main__"].__spec__
    words = ["usage: python -m", spec.name if spec else sys.argv[0]]
    for name, parameter in inspect.signature(main).parameters.items():
        several = parameter.kind is inspect.Parameter.VAR_POSITIONAL
        words.append(f"[<{name}> ...]" if several else f"<{name}>")
    return " ".join(words)


def _item_of_dvc_stage() -> list[str]:
    _, at, item = os.environ.get("DVC_STAGE", "").rpartition("@")
    return [item] if at else []


def _explain(error: OSError) -> str:
    """A full disk, a folder that is read-only, and their like: what, where, and the cure."""
    cures = {
        errno.ENOSPC: "free some space",
        errno.EDQUOT: "free some space",
        errno.EFBIG: "raise the limit of file sizes (ulimit -f)",
        errno.EROFS: "make it writable",
        errno.EACCES: "make it writable",
        errno.EPERM: "make it writable",
    }
    if error.errno not in cures:
        raise error
    where = f"{error.filename}: " if error.filename else ""
    cure = f"{cures[error.errno]} and run it again"
    return f"{where}{error.strerror}; {cure}, from where it was if there is a checkpoint"


def _is_out_of_memory(error: Exception) -> bool:
    """torch has no exception of its own for it, but on a GPU."""
    known = "not enough memory", "can't allocate memory", "Cannot allocate memory"
    told = any(words in str(error) for words in known)
    return told or type(error).__name__ in ("MemoryError", "OutOfMemoryError")
