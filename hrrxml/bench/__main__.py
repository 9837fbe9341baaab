"""python -m hrrxml.bench parse --shape amazon-670k [--json]"""

import argparse
import json
import sys

from hrrxml.bench import parse
from hrrxml.bench.shapes import SHAPES
from hrrxml.markdown import markdown_table


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m hrrxml.bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("parse", help=parse.__doc__)
    command.add_argument("--shape", choices=SHAPES, default="amazon-670k")
    command.add_argument("--repeats", type=int, default=3)
    command.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    arguments = parser.parse_args()
    found = parse.measure(SHAPES[arguments.shape], arguments.repeats)
    if arguments.json:
        json.dump(found, sys.stdout)
        print()
    else:
        print(markdown_table([["", arguments.shape], *([key, str(v)] for key, v in found.items())]))


if __name__ == "__main__":
    main()
