"""Training a text encoder with and without HRR: execution and optimisation, as in Table 7.

Execution is the forward pass through encoder and output. Optimisation is the rest of a step: the
loss, the backward pass and the update. Texts are synthetic, in a published dataset's shape.
"""

from dataclasses import replace
from typing import Any

from benchmarks import clock
from benchmarks.models import build_head, change
from benchmarks.shapes import SEED, Shape, make_batches, shapes
from hrrxml import encoders
from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.runtime.device import choose_device
from hrrxml.training.determinism import make_deterministic
from hrrxml.training.step import Steps

SHAPES = ("eurlex-4k", "wiki10-31k", "amazoncat-13k", "amazon-670k")
BATCH = 64
VOCABULARY = 30_000


def measure(shape: str = "amazon-670k", repeats: int = 3) -> dict[str, Any]:
    """Seconds per epoch of each model, and words per second."""
    size = replace(shapes()[shape], features=1, features_per_point=1, batch=BATCH)
    settings = change(params.load(), hrr={"dim": size.dim})
    [batch] = make_batches(size, 1, VOCABULARY)
    result: dict[str, Any] = clock.conditions(repeats, labels=size.labels, batch=BATCH)
    for encoder in ("cnn", "lstm"):
        baseline = _measure(encoder, "bce", settings, batch, size, repeats)
        ours = _measure(encoder, "hrr", settings, batch, size, repeats)
        result |= {encoder: baseline, f"hrr-{encoder}": ours}
        for part in ("execution", "optimisation"):
            result[f"{encoder}_{part}_speed_up"] = round(baseline[part] / ours[part], 2)
    return result


def _measure(
    encoder: str, head: str, settings: Params, batch: Points, size: Shape, repeats: int
) -> dict[str, float]:
    make_deterministic(SEED)
    device = choose_device(settings.train.device)
    reader = encoders.build(encoder, settings.section(encoder), batch)
    output = build_head(head, settings, batch, reader.width)
    network, batch = Model(reader, output, batch.n_labels).to(device), batch.to(device)
    steps = Steps(network, settings.train, settings.section(head))

    def execute() -> None:
        with steps.autocast():
            network.head.output(network.encoder(batch), batch.features)

    works = {"execution": execute, "step": lambda: steps.take(batch)}
    times = clock.milliseconds(works, repeats)
    execution, step = times["execution_ms"] / 1000, times["step_ms"] / 1000
    return {
        "execution": round(execution * size.points / BATCH, 2),
        "optimisation": round((step - execution) * size.points / BATCH, 2),
        "words_per_second": round(BATCH * size.words / step),
    }
