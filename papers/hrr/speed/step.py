"""Table 3, §1 and §5.4: how long a training step takes."""

from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean

from matplotlib.figure import Figure

from papers.claim import Check
from papers.evidence import Evidence
from papers.finding import listed
from papers.hrr import figure, statement
from papers.hrr.speed.benchmark import Row, Rows, Table, by_shape, span
from papers.hrr.speed.target import of, target
from papers.published import PUBLISHED
from papers.section import Section

TABLE3 = PUBLISHED["table3"]
FIGURE = "training_speed"
ALT = (
    "How many times as fast as FC's a training step is, with HRR as published, with HRR here and "
    "with the holographic head, on each shape"
)


def _with_printed(measured: Row) -> Rows:
    return {
        name: {**row, "published_speed_up": TABLE3[name]}
        for name, row in by_shape(measured).items()
    }


TABLE = Table(
    benchmark="step",
    paper="HRR",
    place="Table 3",
    title="one training step",
    covers=("§1",),
    remark="Forward, loss, backward and update on synthetic data of each shape. `input` is the "
    "encoder's first layer, which all three include.",
    first="shape",
    columns="batch: batch | d': dim | FC, ms: fc_ms | HRR, ms: hrr_ms | "
    "holographic, ms: holographic_ms | input, ms: input_ms | HRR faster: hrr_speed_up | "
    "paper: published_speed_up | holographic faster: holographic_speed_up",
    arrange=_with_printed,
)


def sections(evidence: Evidence) -> list[Section]:
    picture = f"![{ALT}](figures/{FIGURE}.svg)"
    return TABLE.section(evidence, _pointless(TABLE.rows(evidence)), picture)


def _pointless(rows: Rows) -> str:
    """The published shapes with more outputs than labels."""
    names = [name for name, row in rows.items() if row["dim"] >= row["labels"]]
    if not names:
        return ""
    return (
        f"On {listed(names)}, the paper's d' is no less than the number of labels: HRR has as many "
        "outputs as the baseline or more, so nothing can be gained. `HolographicClassifier` never "
        "chooses such a d'."
    )


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    rows = TABLE.rows(evidence)
    return {FIGURE: partial(draw, rows)} if rows else {}


def draw(step: Rows) -> Figure:
    """FC's time over that of HRR-FC and of the holographic head: Table 3's, and ours."""
    drawing = Figure(figsize=(6.4, 3.8), layout="constrained")
    axis = drawing.subplots()
    bars = {"published_speed_up": "HRR, published", "hrr_speed_up": "HRR, ours"}
    bars |= {"holographic_speed_up": "holographic, ours"}
    for number, (key, label) in enumerate(bars.items()):
        places = [place + 0.27 * (number - 1) for place in range(len(step))]
        axis.bar(places, [row[key] for row in step.values()], width=0.25, label=label)
    axis.axhline(1, color="black", linewidth=0.8, linestyle="--")
    axis.set_yscale("log")
    axis.set_xticks(range(len(step)), list(step), rotation=30, ha="right")
    axis.set_ylabel("FC's step time over the other's")
    axis.legend()
    return drawing


def _time_saved(evidence: Evidence) -> Iterator[Check]:
    """The paper does not say which mean it took: three candidates."""
    rows = TABLE.rows(evidence)
    saved = {name: 100 * (1 - 1 / row["hrr_speed_up"]) for name, row in rows.items()}
    large = [percent for name, percent in saved.items() if TABLE3[name] > 1]
    if not large:
        return
    fc, hrr = (sum(row[f"{model}_ms"] for row in rows.values()) for model in ("fc", "hrr"))
    for where, percent in (
        ("mean of the eight shapes", mean(saved.values())),
        ("mean of the four large ones", mean(large)),
        ("a step of each, together", 100 * (1 - hrr / fc)),
    ):
        yield Check(where, f"{percent:.1f}%", percent >= PUBLISHED["time_saved"])


def _same_side(dataset: str, row: Row) -> tuple[str, bool]:
    ours, printed = row["hrr_speed_up"], TABLE3[dataset]
    return f"{ours:.2f}× (paper {printed:g}×)", (ours > 1) == (printed > 1)


def _as_fast(dataset: str, row: Row) -> tuple[str, bool]:
    return f"{row['hrr_speed_up']:.1f}×", row["hrr_speed_up"] >= TABLE3[dataset]


CLAIMS = (
    figure(
        needs=TABLE.needs,
        place="§1",
        says="Training time falls by 41.86%",
        published=f"−{PUBLISHED['time_saved']}%",
        rule="The time of a training step, on the shapes of Table 6 and two cores, falls by at "
        "least that percentage",
        judge=_time_saved,
        remark="The paper does not say which mean it took; none that we tried on Table 3 is 41.86%",
    ),
    statement(
        needs=TABLE.needs,
        place="Table 3",
        says="HRR-FC trains faster on the four large datasets, slower on the four small ones",
        published=span(TABLE3.values(), "×"),
        rule="The speed-up of a training step is on the same side of 1 as the paper's (two cores, "
        "not the paper's GPU; where ours is faster on a small shape, the closed form of the loss "
        "is the reason)",
        judge=TABLE.each(_same_side),
    ),
    figure(
        needs=TABLE.needs,
        place="§5.4, Table 3",
        says="HRR-FC optimises up to 6.3× faster",
        published=f"{max(TABLE3.values())}×",
        rule="A training step on Amazon-670K's shape is at least that much faster on two cores",
        judge=TABLE.each(_as_fast, "amazon-670k"),
    ),
    target(
        TABLE,
        "HRR-FC's training step is as fast as FC's on every shape",
        of("hrr_speed_up", *TABLE3),
        least=1,
    ),
    target(
        TABLE,
        "HRR-FC's training step is 6 times as fast as FC's on Delicious-200K's shape",
        of("hrr_speed_up", "delicious-200k"),
        least=6,
    ),
    target(
        TABLE,
        "HRR-FC's training step is 10 times as fast as FC's on Amazon-670K's shape",
        of("hrr_speed_up", "amazon-670k"),
        least=10,
    ),
)
