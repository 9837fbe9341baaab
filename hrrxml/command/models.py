"""Opens the model that a command line names."""

from argparse import ArgumentParser, Namespace
from typing import Any

import hrrxml
from hrrxml.runtime.errors import UserError


def take(options: Namespace, parser: ArgumentParser, words: list[str]) -> tuple[Any, list[str]]:
    """The model and the words after it. With `--run`, no word names a model."""
    if options.run is not None:
        from hrrxml.estimator.from_run import load_run

        return load_run(options.run), words
    if not words:
        parser.error("give MODEL, a folder that `hrrxml train` wrote")
    return load(words[0]), words[1:]


def load(folder: str) -> Any:
    """The model in a folder. It shows progress on a terminal alone, however it was trained."""
    try:
        model = hrrxml.load(folder)
    except UserError as error:
        if folder in str(error):
            raise
        raise UserError(f"{folder}: {error}; copy the model again, or train it again") from error
    model.verbose = None
    return model
