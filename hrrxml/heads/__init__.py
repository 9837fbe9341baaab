"""Heads: everything the output layer is. One module each, named by params."""

from importlib import import_module

from hrrxml.heads.base import Head as Head


def get(name: str) -> type[Head]:
    """The class of head `name`."""
    # Imported by name, so that a run depends on the code of its own head alone.
    return import_module(f"hrrxml.heads.{name}").Head
