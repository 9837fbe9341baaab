"""How every stage starts and fails: arguments from the command line, one line per error."""

import inspect
import sys
from collections.abc import Callable

from hrrxml.errors import UserError


def run(main: Callable[..., None]) -> None:
    """Call `main` with the command line's arguments; a user's mistake ends without traceback."""
    names = list(inspect.signature(main).parameters)
    arguments = sys.argv[1:]
    if len(arguments) != len(names):
        module = inspect.getmodule(main)
        doc = inspect.getdoc(module) if module else ""
        sys.exit(f"usage: python -m stages.<stage> {' '.join(f'<{n}>' for n in names)}\n\n{doc}")
    try:
        main(*arguments)
    except UserError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
