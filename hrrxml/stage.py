"""How every stage starts and fails: arguments from the command line, one line per error."""

import inspect
import sys
from collections.abc import Callable
from pathlib import Path

from hrrxml.errors import UserError


def run(main: Callable[..., None]) -> None:
    """Call `main` with the command line's arguments; a user's mistake ends without traceback."""
    names = list(inspect.signature(main).parameters)
    arguments = sys.argv[1:]
    if len(arguments) != len(names):
        usage = " ".join(
            ["python -m", f"stages.{Path(sys.argv[0]).stem}", *(f"<{n}>" for n in names)]
        )
        sys.exit(f"usage: {usage}")
    try:
        main(*arguments)
    except UserError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
