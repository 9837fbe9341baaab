"""Codebooks: one unit vector per label, stored or not. One module each, named by params."""

from collections.abc import Mapping

from torch import Tensor

from hrrxml.codebook.base import Codebook as Codebook
from hrrxml.runtime import registry


def get(name: str) -> type[Codebook]:
    """The class of codebook `name`."""
    return registry.load(__name__, name).Codebook


def load(name: str, tables: Mapping[str, Tensor]) -> Codebook:
    """The codebook that `get(name).tables` described."""
    return get(name)(tables)
