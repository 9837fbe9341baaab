"""Heads: output layer, loss and ranking. Each is a module, and params.yaml names it."""

from pathlib import Path

from torch import Tensor

from hrrxml.heads.base import Head as Head
from hrrxml.runtime import registry
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors_and_facts


def get(name: str) -> type[Head]:
    """The class of the head `name`."""
    # Imported by name, so that a run depends only on the code of its own head.
    return registry.load(__name__, name).Head


def load_tables(path: Path, n_labels: int) -> tuple[dict[str, Tensor], str]:
    """The tables that the `labels` stage wrote for `n_labels` labels, and their checksum."""
    tables, facts = read_tensors_and_facts(path)
    if facts.get("n_labels") != n_labels:
        raise UserError(
            f"{path}: made for {facts.get('n_labels')} labels, but the points have {n_labels}; "
            "run `dvc repro`"
        )
    return tables, facts["checksum"]
