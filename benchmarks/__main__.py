"""python -m hrrxml.bench step --shape amazon-670k [--json]"""

import argparse
import inspect
import json
import sys
from functools import partial
from importlib import import_module
from typing import Any, get_args

from benchmarks.shapes import SHAPES
from hrrxml.config.schema import BenchmarkName
from hrrxml.report.markdown import markdown_table
from hrrxml.runtime.errors import UserError


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
    return int(text)


BENCHMARKS = {name: import_module(f"hrrxml.bench.{name}") for name in get_args(BenchmarkName)}
OPTIONS: dict[str, dict[str, Any]] = {
    "shape": {"choices": SHAPES},
    "repeats": {"type": int, "choices": range(1, 101), "metavar": "N"},
    "labels": {"type": partial(_at_least, 5), "metavar": "L"},
    "dim": {"type": partial(_at_least, 2), "metavar": "D"},
    "queries": {"type": partial(_at_least, 1), "metavar": "N"},
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m hrrxml.bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in BENCHMARKS.items():
        help_line = (module.__doc__ or "").splitlines()[0]
        command = commands.add_parser(name, help=help_line, description=module.__doc__)
        for option, parameter in inspect.signature(module.measure).parameters.items():
            command.add_argument(f"--{option}", default=parameter.default, **OPTIONS[option])
        command.add_argument("--json", action="store_true", help="one JSON object, not a table")
    arguments = vars(parser.parse_args())
    name, as_json = arguments.pop("command"), arguments.pop("json")
    try:
        found = BENCHMARKS[name].measure(**arguments)
    except UserError as error:
        sys.exit(f"error: {error}")
    print(json.dumps(found) if as_json else table(name, found))


def table(name: str, found: dict[str, Any]) -> str:
    return markdown_table([["", name], *([key, str(value)] for key, value in _flat(found))])


def _flat(found: Any, before: str = "") -> list[tuple[str, Any]]:
    """Every number with the path to it."""
    if not isinstance(found, dict | list):
        return [(before.removesuffix("."), found)]
    items = found.items() if isinstance(found, dict) else enumerate(found)
    return [pair for key, value in items for pair in _flat(value, f"{before}{key}.")]


if __name__ == "__main__":
    main()
