"""Heads: everything the output layer is. One module each, named by params."""

from pathlib import Path

from torch import Tensor

from hrrxml.heads.base import Head as Head
from hrrxml.runtime import registry
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors_and_facts


def get(name: str) -> type[Head]:
    """The class of head `name`."""
    # Imported by name, so that a run depends on the code of its own head alone.
    return registry.load(__name__, name).Head


def load_tables(path: Path, n_labels: int) -> tuple[dict[str, Tensor], str]:
    """What the `labels` stage wrote for so many labels, and its checksum."""
    tables, facts = read_tensors_and_facts(path)
    if facts.get("n_labels") != n_labels:
        raise UserError(
            f"{path}: for {facts.get('n_labels')} labels, but the points have {n_labels}; "
            "`dvc repro`"
        )
    return tables, facts["checksum"]
