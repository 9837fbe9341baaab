"""Encoders: from a batch of points to one vector per point. Each is a module named in params."""

from torch import Tensor

from hrrxml.config.section import Section
from hrrxml.data.points import Points
from hrrxml.encoders.base import Encoder as Encoder
from hrrxml.runtime import registry


def build(name: str, settings: Section, points: Points, vectors: Tensor | None = None) -> Encoder:
    """The encoder `name` for data like `points`. `vectors` are the initial word vectors, if any."""
    # Imported by name, so that a run depends only on the code of its own encoder.
    encoder: Encoder = registry.load(__name__, name).Encoder(settings, points, vectors)
    return encoder
