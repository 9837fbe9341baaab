"""Evidence that is made up, for tests of what is said about it."""

from typing import Any

import pandas as pd

from helpers.project import ROOT
from hrrxml.report.results import Cell
from papers.evidence import Evidence

SUITES = sorted(path.stem for path in (ROOT / "suites").glob("*.yaml"))


def evidence(*cells: Cell, suite: str = "heads", **recorded: Any) -> Evidence:
    """These cells, all of one suite, and nothing else but what is given by name."""
    named = {cell.name: cell for cell in cells}
    nothing: dict[str, Any] = {
        "suites": {name: list(named) if name == suite else [] for name in SUITES},
        "datasets": {},
        "retrieval": pd.DataFrame(),
        "responses": pd.DataFrame(),
        "threshold": 0.03,
        "composition": {},
        "theorem": pd.DataFrame(),
        "benchmarks": {},
        "followed": [],
        "peers": {},
        "by_frequency": {},
        "by_point": {},
        "threads": {},
    }
    return Evidence(cells=named, **(nothing | recorded))


def tools(**metrics: Cell) -> dict[str, Any]:
    """Other tools' outcomes on a dataset, by name."""
    return {name: {"metrics": cell.metrics} for name, cell in metrics.items()}


def shown(module: Any, recorded: Evidence) -> str:
    """The sections that a module makes, with their headings, as Markdown."""
    sections = module.sections(recorded)
    return "\n\n".join(f"### {section.heading}\n\n{section.body}" for section in sections)
