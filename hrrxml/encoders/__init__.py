"""Encoders: a batch of points in, one vector per point out. One module each, named by params."""

from importlib import import_module

from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.encoders.base import Encoder as Encoder
from hrrxml.schema import Params


def build(name: str, params: Params, points: Points, vectors: Tensor | None = None) -> Encoder:
    """The encoder `name`, sized for these points; `vectors` of words to start from, if any."""
    # Imported by name, so that a run depends on the code of its own encoder alone.
    return import_module(f"hrrxml.encoders.{name}").Encoder(params, points, vectors)
