"""The published models, which differ only in the output layer."""

from typing import Any

import torch

from benchmarks.shapes import SEED, Shape
from hrrxml import heads
from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.heads import Head

HIDDEN = 512  # units in each of two layers


def configure(shape: Shape) -> Params:
    dim, plain = {"dim": shape.dim}, {"shortcut": None}
    paper = {"loss": "absolute", "codebook": "circulant", "projection": True, "learn_pm": False}
    whole = {"precision": "float32", "clip": None, "average_from": None, "keep_features": 1.0}
    return change(
        params.load(),
        fc={"hidden": HIDDEN, "layers": 2, "activation": "relu", "update": "rows"},
        bce=plain,
        hrr=dim | plain | paper,
        holographic=dim | plain | {"tail": 0.0},
        train=whole,
    )


def change(settings: Params, **sections: dict[str, Any]) -> Params:
    """Params with these values in these sections."""
    changed = {
        name: settings.section(name).model_copy(update=values) for name, values in sections.items()
    }
    return settings.model_copy(update=changed)


def build_head(name: str, settings: Params, batch: Points, width: int) -> Head:
    """A new head for the labels of `batch`, after an encoder with `width` outputs."""
    kind, section = heads.get(name), settings.section(name)
    tables = kind.tables(section, batch, torch.Generator().manual_seed(SEED))
    return kind(section, width, batch.n_features, tables)
