"""One training step of FC, of HRR-FC, and of FC with the holographic head, as in Table 3.

Forward, loss, backward and update, on synthetic batches of a published dataset's shape. All three
share the encoder (2 × 512); `input_ms` is its first layer, which each step includes.
"""

import gc
from itertools import cycle
from typing import Any

from benchmarks import clock
from benchmarks.input import BATCHES, training
from benchmarks.models import build_head, configure
from benchmarks.shapes import SEED, make_batches, shapes
from hrrxml import encoders
from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.encoders import Encoder
from hrrxml.model import Model
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.row_adam import RowAdam
from hrrxml.training.step import Steps
from papers.published import PUBLISHED

SHAPES = tuple(PUBLISHED["table6"])
HEADS = {"fc": "bce", "hrr": "hrr", "holographic": "holographic"}
ROUNDS = 3  # over all models; one model is in memory at a time


def measure(shape: str = "amazon-670k", repeats: int = 10) -> dict[str, Any]:
    """Median milliseconds of each model's step, over ROUNDS · repeats steps."""
    make_deterministic(SEED)
    size = shapes()[shape]
    settings = configure(size)
    batches = make_batches(size, BATCHES)
    encoder = encoders.build("fc", settings.section("fc"), batches[0])
    times: dict[str, list[float]] = {name: [] for name in [*HEADS, "input"]}
    for _ in range(ROUNDS):
        for name in times:
            step = _training(name, encoder, settings, batches)
            step()  # the first allocates
            times[name] += [clock.once(step) for _ in range(repeats)]
            del step  # FC is large
            gc.collect()
    result = {f"{name}_ms": clock.median(measured) for name, measured in times.items()}
    sizes = {key: getattr(size, key) for key in ("batch", "features", "labels", "dim")}
    return {
        **result,
        "hrr_speed_up": clock.speed_up(result["fc_ms"], result["hrr_ms"]),
        "holographic_speed_up": clock.speed_up(result["fc_ms"], result["holographic_ms"]),
        **clock.conditions(ROUNDS * repeats, **sizes),
    }


def _training(name: str, encoder: Encoder, settings: Params, batches: list[Points]) -> clock.Work:
    """Each call trains a new model, or the input layer alone, on the next batch."""
    if name == "input":
        layer: Any = encoder.words
        return training(layer, RowAdam([layer.weight], lr=1e-3), batches)
    head = build_head(HEADS[name], settings, batches[0], encoder.width)
    model = Model(encoder, head, batches[0].n_labels)
    steps, turns = Steps(model, settings.train, settings.section(HEADS[name])), cycle(batches)
    return lambda: steps.take(next(turns))
