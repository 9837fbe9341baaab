"""Small models of every head, and the settings to train them with."""

from typing import Any, get_args

import torch

from hrrxml import heads, model
from hrrxml.config.schema import Params, Run, Train
from hrrxml.data.points import Points
from hrrxml.heads import hrr
from hrrxml.heads.base import Settings as HeadSettings
from hrrxml.layers.words import WordSettings
from hrrxml.runtime import registry
from hrrxml.training.determinism import make_deterministic

ALL_HEADS = registry.names("hrrxml.heads")
ENCODERS = registry.names("hrrxml.encoders")
CODEBOOKS = registry.names("hrrxml.codebook")
# Those that read words in their order, and not bags of features.
TEXT_ENCODERS = [
    name
    for name in ENCODERS
    if issubclass(registry.load("hrrxml.encoders", name).Settings, WordSettings)
]
# All but `none`, with which nothing but the head learns.
LEARNING_ENCODERS = [name for name in ENCODERS if name != "none"]

HEADS = [name for name in ALL_HEADS if name != "hrr"]  # of these one loss is tried
LOSSES = [*HEADS, *get_args(hrr.Settings.model_fields["loss"].annotation)]
ORIGIN = {"params": "1", "data": "2", "code": "3", "machine": "4"}  # of a checkpoint
TRAIN: dict[str, Any] = {
    "seed": 0, "seeds": 1, "epochs": 1, "patience": None, "epoch_by": "precision", "batch_size": 8,
    "processes": 1, "keep_features": 1.0, "device": "cpu", "precision": "float32", "clip": None,
}  # fmt: skip
DIM = {"grouped": 11}  # fewer than the 12 labels; of all other heads 64


def build(
    settings: Params, points: Points, loss: str, seed: int = 0, encoder: str = "fc"
) -> model.Model:
    """A network for `points`; `loss` is the name of a head, or one of HRR's losses."""
    head = loss if loss in HEADS else "hrr"
    section = settings.section(head)
    changes: dict[str, Any] = {"loss": loss} if head == "hrr" else {}
    if "dim" in type(section).model_fields:
        changes["dim"] = DIM.get(head, 64)
    settings = settings.model_copy(update={head: section.model_copy(update=changes)})
    run = Run(dataset="tiny", encoder=encoder, head=head)
    make_deterministic(seed)
    generator = torch.Generator().manual_seed(seed)
    tables = heads.get(head).tables(settings.section(head), points, generator)
    return model.build(run, settings, points, tables)


def settings_for(epochs: int, **changed: Any) -> Train:
    return Train(**(TRAIN | {"epochs": epochs, "average_from": None} | changed))


def rate(learning_rate: float = 1e-2, decay: float = 0.95) -> HeadSettings:
    """What training needs to know of a head's section."""
    return HeadSettings(learning_rate=learning_rate, decay=decay, shortcut=None)
