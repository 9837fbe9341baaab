"""Types of options, and options that several subcommands have."""

import math
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable


def whole(least: int) -> Callable[[str], int]:
    """A whole number of at least `least`."""

    def convert(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) >= least):
            raise ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return int(text)

    return convert


def port(text: str) -> int:
    """A port of TCP; 0 for any that is free."""
    value = whole(0)(text)
    if value > 65535:
        raise ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return value


def share(text: str) -> float:
    """A number from 0 to 1, but not 1."""
    value = number(text)
    if not 0 <= value < 1:
        raise ArgumentTypeError(f"{text!r} is not a share from 0 to below 1")
    return value


def prune(text: str) -> float:
    """A share above 0.5 and below 1: fewer zeros would not make a file smaller."""
    value = number(text)
    if not 0.5 < value < 1:
        raise ArgumentTypeError(f"{text!r} is not a share above 0.5 and below 1")
    return value


def number(text: str) -> float:
    """A finite number."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ArgumentTypeError(f"{text!r} is not a number")
    return value


def add_run(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--run", metavar="NAME", help="a run of the pipeline in this folder, instead of MODEL"
    )
