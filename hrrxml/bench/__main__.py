"""python -m hrrxml.bench parse --shape amazon-670k [--json]"""

import argparse
import json
import sys

from hrrxml.bench import encoders, parse
from hrrxml.bench.shapes import SHAPES
from hrrxml.errors import UserError
from hrrxml.markdown import markdown_table

BENCHMARKS = {"encoders": encoders, "parse": parse}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m hrrxml.bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in BENCHMARKS.items():
        help_line = (module.__doc__ or "").splitlines()[0]
        command = commands.add_parser(name, help=help_line, description=module.__doc__)
        command.add_argument("--shape", choices=SHAPES, default="amazon-670k")
        command.add_argument("--repeats", type=int, choices=range(1, 101), default=3, metavar="N")
        command.add_argument("--json", action="store_true", help="one JSON object, not a table")
    arguments = parser.parse_args()
    try:
        found = BENCHMARKS[arguments.command].measure(SHAPES[arguments.shape], arguments.repeats)
    except UserError as error:
        sys.exit(f"error: {error}")
    if arguments.json:
        json.dump(found, sys.stdout)
        print()
    else:
        print(markdown_table([["", arguments.shape], *([key, str(v)] for key, v in found.items())]))


if __name__ == "__main__":
    main()
