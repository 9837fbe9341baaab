"""`python -m hrrxml` is the command `hrrxml`."""

import sys

from hrrxml.command import main

if __name__ == "__main__":
    sys.exit(main())
