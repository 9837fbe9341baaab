"""Encoders: a batch of points in, one vector per point out. One module each, named in params."""

from torch import Tensor

from hrrxml.config.section import Section
from hrrxml.data.points import Points
from hrrxml.encoders.base import Encoder as Encoder
from hrrxml.runtime import registry


def build(name: str, settings: Section, points: Points, vectors: Tensor | None = None) -> Encoder:
    """The encoder `name` for data like these points; its words start from `vectors`, if given."""
    # Imported by name: a run depends on the code of its own encoder alone.
    encoder: Encoder = registry.load(__name__, name).Encoder(settings, points, vectors)
    return encoder
