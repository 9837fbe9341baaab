"""From the encoder's vectors to the five best labels of a batch: FC's output layer and HRR's.

`hrr` compares ŝ with every stored label vector, as the paper does. `circulant` compares it with
rolls of a few bases. Both include the layer that makes ŝ.
"""

from functools import partial
from typing import Any

import torch

from benchmarks import clock
from benchmarks.models import HIDDEN, build_head, change, configure
from benchmarks.shapes import SEED, make_batches, shapes
from benchmarks.vectors import TOP

SHAPES = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "delicious-200k")


@torch.no_grad()
def measure(shape: str = "delicious-200k", repeats: int = 10) -> dict[str, Any]:
    size = shapes()[shape]
    [batch] = make_batches(size, 1)
    encoded = torch.randn(len(batch), HIDDEN, generator=torch.Generator().manual_seed(SEED))
    works = {}
    for model, head, changes in (
        ("fc", "bce", {"tail": 0.0}),
        ("hrr", "hrr", {"codebook": "random"}),
        ("circulant", "hrr", {"codebook": "circulant"}),
    ):
        settings = change(configure(size), **{head: changes})
        built = build_head(head, settings, batch, HIDDEN).eval()
        works[model] = partial(built.top_k, encoded, batch, TOP)
    times = clock.milliseconds(works, repeats)
    return {
        **times,
        "hrr_over_fc": clock.speed_up(times["hrr_ms"], times["fc_ms"]),
        "circulant_over_fc": clock.speed_up(times["circulant_ms"], times["fc_ms"]),
        "hidden": HIDDEN,
        **clock.conditions(repeats, batch=size.batch, labels=size.labels, dim=size.dim),
    }
