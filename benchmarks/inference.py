"""From the encoder's vectors to the five best labels of a batch: FC's output layer and HRR's.

`hrr` compares ŝ with every stored label vector, as the paper does. `circulant` compares it with
rolls of a few bases. Both include the layer that makes ŝ.
"""

from functools import partial
from typing import Any

import torch

from benchmarks import clock
from benchmarks.shapes import shapes
from benchmarks.step import configure
from benchmarks.synthetic import SEED, make_batches
from hrrxml import heads
from hrrxml.heads import Head

SHAPES = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "delicious-200k")
TOP = 5


def measure_all() -> dict[str, Any]:
    return {shape: measure(shape) for shape in SHAPES}


@torch.no_grad()
def measure(shape: str = "delicious-200k", repeats: int = 10) -> dict[str, Any]:
    size = shapes()[shape]
    settings = configure(size)
    [batch] = make_batches(size, 1)
    width = settings.section("fc").hidden
    generator = torch.Generator().manual_seed(SEED)
    encoded = torch.randn(len(batch), width, generator=generator)

    def build(name: str, **changes: Any) -> Head:
        chosen = settings.section(name).model_copy(update=changes)
        tables = heads.get(name).tables(chosen, batch, generator)
        return heads.get(name)(chosen, width, batch.n_features, tables).eval()

    models = {
        "fc": build("bce", tail=0.0),
        "hrr": build("hrr", codebook="random"),
        "circulant": build("hrr", codebook="circulant"),
    }
    works = {name: partial(head.top_k, encoded, batch, TOP) for name, head in models.items()}
    times = clock.milliseconds(works, repeats)
    return {
        **{f"{name}_ms": milliseconds for name, milliseconds in times.items()},
        "hrr_over_fc": clock.speed_up(times["hrr"], times["fc"]),
        "circulant_over_fc": clock.speed_up(times["circulant"], times["fc"]),
        "batch": size.batch,
        "labels": size.labels,
        "dim": size.dim,
        "hidden": width,
        "threads": torch.get_num_threads(),
        "repeats": repeats,
    }
