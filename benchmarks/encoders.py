"""Training a text encoder with and without HRR: execution and optimisation, as in Table 7.

Execution is the forward pass through encoder and output. Optimisation is the rest of a step: the
loss, the backward pass and the update. Texts are synthetic, in a published dataset's shape.
"""

from typing import Any

import numpy as np
import torch

from benchmarks import clock
from benchmarks.shapes import Shape, shapes
from hrrxml import heads, model
from hrrxml.config import params
from hrrxml.config.schema import Params, Run
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.runtime.device import choose_device
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.step import Steps

TABLE7 = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "amazon-670k")
BATCH = 64
VOCABULARY = 30_000
SEED = 0


def measure_all() -> dict[str, Any]:
    return {shape: measure(shape) for shape in TABLE7}


def measure(shape: str = "amazon-670k", repeats: int = 3) -> dict[str, Any]:
    """Seconds per epoch of each model, and words per second."""
    size, settings = shapes()[shape], params.load()
    hrr = settings.section("hrr").model_copy(update={"dim": size.dim})
    settings = settings.model_copy(update={"hrr": hrr})
    batch = make_batch(size)
    result: dict[str, Any] = {"labels": size.labels, "batch": BATCH, "repeats": repeats}
    for encoder in ("cnn", "lstm"):
        for name, head in ((encoder, "bce"), (f"hrr-{encoder}", "hrr")):
            run = Run(dataset="synthetic", encoder=encoder, head=head)
            result[name] = _measure(run, settings, batch, size, repeats)
        baseline, ours = result[encoder], result[f"hrr-{encoder}"]
        for part in ("execution", "optimisation"):
            result[f"{encoder}_{part}_speed_up"] = round(baseline[part] / ours[part], 2)
    return result


def make_batch(shape: Shape) -> Points:
    """Texts of equal length with uniformly drawn words and labels."""
    rng = np.random.default_rng(SEED)
    tokens = rng.integers(2, VOCABULARY, (BATCH, shape.words)).tolist()
    counts = 1 + rng.poisson(shape.labels_per_point - 1, BATCH)
    labels = [np.unique(rng.integers(0, shape.labels, count)).tolist() for count in counts]
    return Points(
        features=Bags.from_lists([[0]] * BATCH),
        tokens=Bags.from_lists(tokens),
        labels=Bags.from_lists(labels),
        n_features=1,
        n_tokens=VOCABULARY,
        n_labels=shape.labels,
    ).select(torch.arange(BATCH))


def _measure(
    run: Run, settings: Params, batch: Points, shape: Shape, repeats: int
) -> dict[str, float]:
    make_deterministic(SEED)
    device = choose_device(settings.train.device)
    batch, head = batch.to(device), settings.section(run.head)
    tables = heads.get(run.head).tables(head, batch, torch.Generator().manual_seed(SEED))
    network = model.build(run, settings, batch, tables).to(device).train()
    steps = Steps(network, settings.train, head)
    output: Any = network.head.output

    def execute() -> None:
        with steps.autocast():
            output(network.encoder(batch), batch.features)

    works = {"execution": execute, "step": lambda: steps.take(batch)}
    seconds = {name: ms / 1000 for name, ms in clock.milliseconds(works, repeats).items()}
    batches = shape.points / BATCH
    return {
        "execution": round(seconds["execution"] * batches, 2),
        "optimisation": round((seconds["step"] - seconds["execution"]) * batches, 2),
        "words_per_second": round(BATCH * shape.words / seconds["step"]),
    }
