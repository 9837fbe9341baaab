"""Codebooks: one unit vector per label. Each is a module, and params.yaml names it."""

from collections.abc import Mapping

from torch import Tensor

from hrrxml.codebook.base import Codebook as Codebook
from hrrxml.runtime import registry


def get(name: str) -> type[Codebook]:
    """The class of the codebook `name`."""
    return registry.load(__name__, name).Codebook


def load(name: str, tables: Mapping[str, Tensor]) -> Codebook:
    """The codebook `name`, built from the result of `get(name).tables`."""
    return get(name)(tables)
