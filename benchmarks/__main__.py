"""python -m benchmarks step --shape amazon-670k [--json]"""

import argparse
import inspect
import json
from functools import partial
from typing import Any

import benchmarks
from benchmarks.shapes import shapes
from hrrxml.config import params
from hrrxml.report.markdown import flat_table
from hrrxml.runtime import command


def main(*words: str) -> None:
    arguments = vars(_parser().parse_args(words))
    name, as_json = arguments.pop("command"), arguments.pop("json")
    result = benchmarks.load(name).measure(**arguments)
    print(json.dumps(result) if as_json else flat_table(result))


def _parser() -> argparse.ArgumentParser:
    """One command for each benchmark, one option for each parameter of its `measure`."""
    options: dict[str, dict[str, Any]] = {
        "shape": {"choices": shapes()},
        "dataset": {"choices": params.load().datasets, "metavar": "NAME"},
        "seeds": {"type": partial(_at_least, 1), "metavar": "N"},
        "repeats": {"type": int, "choices": range(1, 101), "metavar": "N"},
        "labels": {"type": partial(_at_least, 5), "metavar": "L"},
        "dim": {"type": partial(_at_least, 2), "metavar": "D"},
        "queries": {"type": partial(_at_least, 1), "metavar": "N"},
    }
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in benchmarks.names():
        module = benchmarks.load(name)
        help_line = (module.__doc__ or "").splitlines()[0]
        subparser = commands.add_parser(name, help=help_line, description=module.__doc__)
        for option, parameter in inspect.signature(module.measure).parameters.items():
            subparser.add_argument(f"--{option}", default=parameter.default, **options[option])
        subparser.add_argument("--json", action="store_true", help="print JSON, not a table")
    return parser


def _at_least(least: int, text: str) -> int:
    if not text.isdecimal() or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text!r} is not an integer of at least {least}")
    return int(text)


if __name__ == "__main__":
    command.run(main)
