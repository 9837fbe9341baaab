"""The page about one suite: its models on one screen, then the details."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.report import change, meaning, table
from hrrxml.report.change import Changes
from hrrxml.report.figures import OF_RUNS, overfitting
from hrrxml.report.markdown import flat
from hrrxml.report.results import Cell, Followed, by_dataset, short_names

FIRST_FIGURES = ("accuracy_by_output_size", "learning_curves")  # those on the first screen
EXAMPLE_MODELS = 3
MOST_MOVES = 6  # shown of the metrics that moved


@dataclass(frozen=True)
class Results:
    """What the stages of a suite wrote."""

    cells: list[Cell]
    runs: Mapping[str, Run]
    facts: Mapping[str, Any]  # dataset → its statistics
    machines: Mapping[str, Any]  # run → the machine that trained it
    examples: Mapping[str, Any]  # run → its answers to a few test texts
    peers: Mapping[str, Any]  # dataset → tool → `metrics` and `seconds`
    followed: list[Followed]
    benchmarks: Mapping[str, Any]


def render(results: Results, changes: Changes) -> str:
    """The page as HTML that needs no other file. The figures must have been drawn."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    datasets = by_dataset(results.cells)
    models = "model" if len(results.cells) == 1 else "models"
    title = f"{len(results.cells)} {models} on {', '.join(datasets)}"
    return environment.get_template("run.html").render(
        title=title if datasets else "A suite without models",
        datasets=[_about(name, cells, results) for name, cells in datasets.items()],
        machine=_machine(results),
        columns=table.COLUMNS,
        details=table.DETAILS,
        figures=_figures(results),
        first_figures=FIRST_FIGURES,
        changes=changes,
        short=short_names(results.cells),
        most_moves=MOST_MOVES,
        verdict=change.verdict(changes),
        setting=_setting(results),
        benchmarks={name: flat(measured) for name, measured in results.benchmarks.items()},
    )


def _about(dataset: str, cells: list[Cell], results: Results) -> dict[str, Any]:
    """What the page says about one dataset."""
    return {
        "name": dataset,
        "facts": results.facts[dataset],
        "seeds": max(cell.seeds for cell in cells),
        "rows": table.rows(cells, results.peers.get(dataset, {})),
        "sentences": meaning.sentences(cells, results.runs, results.facts[dataset]),
        "examples": examples(cells, results),
    }


def examples(cells: list[Cell], results: Results) -> list[dict[str, Any]]:
    """Test texts with their labels, and what the first models of different heads answer."""
    by_head: dict[str, Cell] = {}
    for cell in cells:
        by_head.setdefault(results.runs[cell.name].head, cell)
    models = list(by_head.values())[:EXAMPLE_MODELS]
    return [
        {
            "text": answers[0]["text"],
            "labels": answers[0]["labels"],
            "answers": [
                (cell.model, answer["predicted"])
                for cell, answer in zip(models, answers, strict=True)
            ],
        }
        for answers in zip(*(results.examples[cell.name] for cell in models), strict=True)
    ]


def _machine(results: Results) -> str:
    """The processors and threads that trained the models; usually one kind."""
    kinds = (
        f"{kind['gpu'] or kind['cpu']} (threads: {kind['threads']})"
        for kind in results.machines.values()
    )
    return " and ".join(dict.fromkeys(kinds))


def _figures(results: Results) -> dict[str, dict[str, str]]:
    """name → the figure itself, and what it shows."""
    drawings = {name: draw.__doc__ for name, draw in OF_RUNS.items() if results.cells}
    if results.followed:
        drawings["overfitting"] = overfitting.__doc__
    return {
        name: {"uri": _data_uri(paths.figure("runs", name)), "alt": alt or name}
        for name, alt in drawings.items()
    }


def _data_uri(figure: Path) -> str:
    """An SVG file as the address of an image, so that the page needs no other file."""
    return f"data:image/svg+xml;base64,{base64.b64encode(figure.read_bytes()).decode()}"


def _setting(results: Results) -> str:
    """A setting to try: twice the dimensions of a head whose run takes them from its section."""
    for cell in results.cells:
        run = results.runs[cell.name]
        if "dim" in cell.settings[run.head] and "dim" not in run.settings.get(run.head, {}):
            return f"{run.head}.dim={2 * cell.settings[run.head]['dim']}"
    return "train.seed=1"
