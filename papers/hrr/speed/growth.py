"""How the time and memory of exact search grow with the labels and with d'."""

from collections.abc import Callable, Mapping
from functools import partial

from matplotlib.figure import Figure

from papers.evidence import Evidence
from papers.hrr.speed.benchmark import Row, Rows, Table
from papers.section import Section

ALTS = {
    "time_by_labels": "Milliseconds of search and of loss against the number of labels",
    "time_by_dim": "Milliseconds of search and of loss against d'",
    "memory_by_labels": "Bytes of the label vectors against the number of labels",
}


def _exponents(measured: Row) -> Rows:
    if not measured:
        return {}
    return {"L": measured["exponents_by_labels"], "d'": measured["exponents_by_dim"]}


TABLE = Table(
    benchmark="growth",
    paper="ours",
    place="benchmark growth",
    title="time and memory against the labels and d'",
    remark="Slopes in log-log: exact search, the holographic loss with its gradients, a "
    "product with stored vectors where these fit, and the memory of the labels.",
    first="exponent of",
    columns="search: search_ms | loss: loss_ms | matmul: matmul_ms | memory: bytes",
    arrange=_exponents,
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence, *(f"![{alt}](figures/{name}.svg)" for name, alt in ALTS.items()))


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    measured = TABLE.measured(evidence)
    if not measured:
        return {}
    times = {"search_ms": "exact search", "loss_ms": "holographic loss"}
    times |= {"matmul_ms": "matmul, topk"}
    memory = {"bytes": "rolls of bases", "matmul_bytes": "stored vectors"}
    by_labels, by_dim = measured["by_labels"], measured["by_dim"]
    return {
        "time_by_labels": partial(_draw, by_labels, "labels", times, "milliseconds"),
        "time_by_dim": partial(_draw, by_dim, "dim", times, "milliseconds"),
        "memory_by_labels": partial(_draw, by_labels, "labels", memory, "bytes"),
    }


def _draw(points: list[Row], x: str, names: Mapping[str, str], unit: str) -> Figure:
    """Time or memory against L or d', in log-log."""
    drawing = Figure(figsize=(6, 4), layout="constrained")
    axis = drawing.subplots()
    for name, label in names.items():
        measured = [point for point in points if point[name] is not None]
        axis.plot([p[x] for p in measured], [p[name] for p in measured], marker="o", label=label)
    symbols = {"labels": "L", "dim": "d'"}
    fixed = "dim" if x == "labels" else "labels"
    axis.set(xscale="log", yscale="log", xlabel=symbols[x], ylabel=unit)
    axis.set_title(f"{symbols[fixed]} = {points[0][fixed]:,}")
    axis.legend()
    return drawing
