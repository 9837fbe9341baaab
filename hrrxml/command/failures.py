"""Errors as one line on standard error, and exit codes.

0    done
1    an error that the user can fix
2    wrong usage
130  interrupted by Ctrl-C
141  the reader of the output went away, as `head` does
"""

import errno
import sys
from collections.abc import Callable

from hrrxml.command import streams
from hrrxml.runtime.command import _is_out_of_memory
from hrrxml.runtime.errors import UserError

CURES = {
    errno.ENOENT: "check its name",
    errno.EISDIR: "give a file",
    errno.ENOSPC: "free some space and run it again",
    errno.EDQUOT: "free some space and run it again",
    errno.EFBIG: "raise the file size limit (ulimit -f)",
    errno.EROFS: "choose a place you may write to",
    errno.EACCES: "ask for permission, or choose another place",
    errno.EPERM: "ask for permission, or choose another place",
}


def guard(action: Callable[[], None]) -> int:
    """Call `action`. The result is the exit code; a user's error prints no traceback."""
    try:
        action()
        sys.stdout.flush()
    except UserError as error:
        return _fail(str(error))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        streams.close_output()
        return 141
    except OSError as error:
        if error.filename is None:  # it was standard output: files have names
            streams.close_output()
        return _fail(_explain(error))
    except (MemoryError, RuntimeError) as error:
        if not _is_out_of_memory(error):
            raise
        return _fail("out of memory; lower --dim or --hidden, give less text, or free some memory")
    return 0


def _explain(error: OSError) -> str:
    where = error.filename if error.filename is not None else "standard output"
    cure = CURES.get(error.errno or 0, "see whether the disk and the file are in order")
    return f"{where}: {error.strerror or error}; {cure}"


def _fail(message: str) -> int:
    print(f"error: {' '.join(message.splitlines())}", file=sys.stderr)
    return 1
