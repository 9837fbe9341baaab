"""One training step of FC, of HRR-FC, and of FC with the holographic head, as in Table 3.

Forward, loss, backward and update, on synthetic batches of a published dataset's shape. All three
share the encoder (2 × 512); `input_ms` is its first layer, which each step includes.
"""

import gc
from functools import partial
from typing import Any

import torch

from benchmarks import clock
from benchmarks.shapes import Shape, shapes
from benchmarks.synthetic import SEED, make_batches
from hrrxml import encoders, heads
from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.encoders import Encoder
from hrrxml.model import Model
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.row_adam import RowAdam
from hrrxml.training.step import Steps

HEADS = {"fc": "bce", "hrr": "hrr", "holographic": "holographic"}
BATCHES = 4  # used in turn, so that no step has its words in the cache
ROUNDS = 3  # over all models; one model is in memory at a time


def measure_all() -> dict[str, Any]:
    return {shape: measure(shape) for shape in shapes()}


def measure(shape: str = "amazon-670k", repeats: int = 10) -> dict[str, Any]:
    """Median milliseconds of each model's step, over ROUNDS · repeats steps."""
    make_deterministic(SEED)
    size = shapes()[shape]
    settings = configure(size)
    batches = make_batches(size, BATCHES)
    encoder = encoders.build("fc", settings.section("fc"), batches[0])
    times: dict[str, list[float]] = {name: [] for name in [*HEADS, "input"]}
    for _ in range(ROUNDS):
        for name, head in HEADS.items():
            times[name] += time_steps(head, encoder, settings, batches, repeats)
            gc.collect()  # FC is large
        times["input"] += time_input(encoder, batches, repeats)
    result = {f"{name}_ms": clock.median(milliseconds) for name, milliseconds in times.items()}
    return result | {
        "hrr_speed_up": clock.speed_up(result["fc_ms"], result["hrr_ms"]),
        "holographic_speed_up": clock.speed_up(result["fc_ms"], result["holographic_ms"]),
        "batch": size.batch,
        "features": size.features,
        "labels": size.labels,
        "dim": size.dim,
        "threads": torch.get_num_threads(),
        "repeats": ROUNDS * repeats,
    }


def configure(shape: Shape) -> Params:
    """The published models, which differ only in the output layer."""
    settings = params.load()
    dim, plain = {"dim": shape.dim}, {"shortcut": None}
    paper = {"loss": "paper", "codebook": "circulant", "projection": True, "learn_pm": False}
    whole = {"precision": "float32", "clip": None, "average_from": None, "keep_features": 1.0}
    changes = {
        "fc": {"hidden": 512, "layers": 2},
        "bce": plain,
        "hrr": dim | plain | paper,
        "holographic": dim | plain | {"tail": 0.0},
        "train": whole,
    }
    return settings.model_copy(
        update={
            section: settings.section(section).model_copy(update=values)
            for section, values in changes.items()
        }
    )


def time_steps(
    name: str, encoder: Encoder, settings: Params, batches: list[Points], repeats: int
) -> list[float]:
    """Milliseconds of each step of a new model."""
    head_settings = settings.section(name)
    generator = torch.Generator().manual_seed(SEED)
    tables = heads.get(name).tables(head_settings, batches[0], generator)
    head = heads.get(name)(head_settings, encoder.width, batches[0].n_features, tables)
    steps = Steps(Model(encoder, head, batches[0].n_labels), settings.train, head_settings)
    steps.take(batches[-1])  # the first step allocates
    return [clock.once(partial(steps.take, batches[turn % BATCHES])) for turn in range(repeats)]


def time_input(encoder: Encoder, batches: list[Points], repeats: int) -> list[float]:
    """Milliseconds of the first layer alone."""
    layer: Any = encoder
    optimiser = RowAdam([layer.words.weight], lr=1e-3)
    gradient = torch.randn(len(batches[0]), encoder.width)

    def step(batch: Points) -> None:
        layer.words.weight.grad = None
        layer.words(batch.features).backward(gradient)
        optimiser.step()

    step(batches[-1])
    return [clock.once(partial(step, batches[turn % BATCHES])) for turn in range(repeats)]
