"""The command `hrrxml`: train a classifier on texts and tags, and ask it.

Each subcommand is a module with `USAGE`, `EXAMPLE`, `configure` (its options) and `run`. The first
line of the module's docstring is its help.
"""

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

import hrrxml
from hrrxml.command import failures, streams
from hrrxml.runtime import progress

COMMANDS = ("train", "predict", "evaluate", "explain", "neighbours", "info", "serve")


def main() -> int:
    """Run the command line's subcommand. The result is the exit code."""
    streams.use_utf8()
    return run([streams.as_utf8(word) for word in sys.argv[1:]])


def run(arguments: Sequence[str]) -> int:
    """Run one subcommand, such as `["info", "model"]`. The result is the exit code.

    Wrong usage raises SystemExit(2), as argparse does.
    """
    name, *rest = arguments or [""]
    if name not in COMMANDS:
        return _explain_usage(arguments)
    module = import_module(f"{__name__}.{name}")
    parser = _parser_of(name, module)
    options = parser.parse_intermixed_args(rest)  # options may stand between the texts
    with progress.shown(True if getattr(options, "verbose", False) else None):
        return failures.guard(lambda: module.run(options, parser))


def _parser_of(name: str, module: ModuleType) -> ArgumentParser:
    parser = ArgumentParser(
        prog=f"hrrxml {name}",
        usage=f"hrrxml {name} {module.USAGE}",
        description=module.__doc__,
        epilog=f"example:\n{module.EXAMPLE}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    module.configure(parser)
    return parser


def _explain_usage(arguments: Sequence[str]) -> int:
    """Answer `--help` and `--version`; anything else is wrong usage."""
    modules = {name: import_module(f"{__name__}.{name}") for name in COMMANDS}
    lines = [
        f"  {name:<11} {(module.__doc__ or '').splitlines()[0]}" for name, module in modules.items()
    ]
    parser = ArgumentParser(
        prog="hrrxml",
        usage="hrrxml COMMAND …",
        description="Give texts their tags. Train on your own texts, then ask.",
        epilog="commands:\n" + "\n".join(lines) + "\n\n`hrrxml COMMAND --help` shows an example.",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=hrrxml.__version__)
    parser.add_argument("command", nargs="?")
    command = parser.parse_args(arguments[:1]).command
    parser.error(
        f"no command {command!r}; there are {', '.join(COMMANDS)}"
        if command
        else "no command; try --help"
    )
