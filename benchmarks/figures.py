"""Time and memory against L and d', and Table 3 as bars: one SVG each."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from hrrxml.report.drawing import save

LINES = {"search_ms": "exact search", "loss_ms": "holographic loss", "matmul_ms": "matmul, topk"}
MEMORY = {"bytes": "rolls of bases", "matmul_bytes": "stored vectors"}


def figures(found: Mapping[str, Any]) -> dict[str, Callable[[], Figure]]:
    """How to draw each figure whose benchmark was run, by name."""
    drawings: dict[str, Callable[[], Figure]] = {}
    if "step" in found:
        drawings["training_speed"] = partial(training_speed, found["step"])
    if "growth" in found:
        growth = found["growth"]
        by_labels, by_dim = growth["by_labels"], growth["by_dim"]
        drawings |= {
            "time_by_labels": partial(lines, by_labels, "labels", LINES, "milliseconds"),
            "time_by_dim": partial(lines, by_dim, "dim", LINES, "milliseconds"),
            "memory_by_labels": partial(lines, by_labels, "labels", MEMORY, "bytes"),
        }
    return drawings


def draw(found: Mapping[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, drawing in figures(found).items():
        save(drawing, folder / f"{name}.svg")


def training_speed(step: Mapping[str, Any]) -> Figure:
    """FC's time over HRR-FC's, as published and as measured."""
    figure = Figure(figsize=(9, 4), layout="constrained")
    axis = figure.subplots()
    bars = {"published_speed_up": "HRR, published", "hrr_speed_up": "HRR, ours"}
    bars |= {"holographic_speed_up": "holographic, ours"}
    for number, (key, label) in enumerate(bars.items()):
        places = [place + 0.27 * (number - 1) for place in range(len(step))]
        axis.bar(places, [row[key] for row in step.values()], width=0.25, label=label)
    axis.axhline(1, color="black", linewidth=0.8, linestyle="--")
    axis.set_yscale("log")
    axis.set_xticks(range(len(step)), list(step), rotation=20)
    axis.set_ylabel("FC's step over this one's")
    axis.legend()
    return figure


def lines(points: list[dict[str, Any]], x: str, names: Mapping[str, str], unit: str) -> Figure:
    figure = Figure(figsize=(6, 4), layout="constrained")
    axis = figure.subplots()
    for name, label in names.items():
        measured = [point for point in points if point[name] is not None]
        axis.plot([p[x] for p in measured], [p[name] for p in measured], marker="o", label=label)
    fixed = "d'" if x == "labels" else "L"
    value = points[0]["dim" if x == "labels" else "labels"]
    axis.set(xscale="log", yscale="log", xlabel="labels L" if x == "labels" else "d'", ylabel=unit)
    axis.set_title(f"{fixed} = {value:,}")
    axis.legend()
    return figure
