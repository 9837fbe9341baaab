"""How every command starts and fails: arguments from the command line, one line per error."""

import inspect
import sys
from collections.abc import Callable

from hrrxml.errors import UserError


def run(main: Callable[..., None]) -> None:
    """Call `main` with the command line's arguments; a user's mistake ends without traceback."""
    names = list(inspect.signature(main).parameters)
    arguments = sys.argv[1:]
    if len(arguments) != len(names):
        spec = sys.modules["__main__"].__spec__
        module = spec.name if spec else sys.argv[0]
        sys.exit(" ".join(["usage: python -m", module, *(f"<{name}>" for name in names)]))
    try:
        main(*arguments)
    except UserError as error:
        sys.exit(f"error: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
