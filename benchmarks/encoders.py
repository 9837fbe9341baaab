"""Training a text encoder with and without HRR: execution and optimisation, as in Table 7.

Execution is the pass forward through encoder and output; optimisation is everything else of
a step: the loss, the pass backward, the update. Synthetic texts of a published dataset's shape.
"""

from time import perf_counter
from typing import Any

import numpy as np
import torch

from benchmarks.shapes import SHAPES, Shape
from hrrxml import heads, model
from hrrxml.config import params
from hrrxml.config.schema import Params, Run
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.runtime.device import choose_device
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.step import Steps

BATCH = 64
VOCABULARY = 30_000
SEED = 0


def measure(shape: str = "amazon-670k", repeats: int = 3) -> dict[str, Any]:
    """Seconds per epoch of each model, and words per second."""
    size, settings = SHAPES[shape], params.load()
    hrr = settings.hrr.model_copy(update={"dim": size.dim})
    settings = settings.model_copy(update={"hrr": hrr})
    batch = make_batch(size)
    found: dict[str, Any] = {"labels": size.labels, "batch": BATCH, "repeats": repeats}
    for encoder in ("cnn", "lstm"):
        for name, head in ((encoder, "bce"), (f"hrr-{encoder}", "hrr")):
            found[name] = _measure(encoder, head, settings, batch, size, repeats)
        baseline, ours = found[encoder], found[f"hrr-{encoder}"]
        for part in ("execution", "optimisation"):
            found[f"{encoder}_{part}_speed_up"] = round(baseline[part] / ours[part], 2)
    return found


def make_batch(shape: Shape) -> Points:
    """Texts of the same length, labels and words uniform."""
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
    encoder: Any, head: Any, settings: Params, batch: Points, shape: Shape, repeats: int
) -> dict[str, float]:
    make_deterministic(SEED)
    run = Run(dataset="synthetic", encoder=encoder, head=head)
    device = choose_device(settings.train.device)
    batch = batch.to(device)
    generator = torch.Generator().manual_seed(SEED)
    tables = heads.get(head).tables(settings.section(head), batch, generator)
    network = model.build(run, settings, batch, tables).to(device).train()
    steps = Steps(network, settings.train, settings.section(head))
    steps.take(batch)  # the first allocates
    output: Any = network.head.output

    def execute() -> None:
        with steps.autocast():
            output(network.encoder(batch), batch.features)

    execution = _median_seconds(execute, repeats)
    step = _median_seconds(lambda: steps.take(batch), repeats)
    batches = shape.points / BATCH
    return {
        "execution": round(execution * batches, 2),
        "optimisation": round((step - execution) * batches, 2),
        "words_per_second": round(BATCH * shape.words / step),
    }


def _median_seconds(work: Any, repeats: int) -> float:
    seconds = []
    for _ in range(repeats):
        start = perf_counter()
        work()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        seconds.append(perf_counter() - start)
    return float(np.median(seconds))
