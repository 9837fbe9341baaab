"""Made-up outcomes of runs, for tests of what is said about them."""

from typing import Any

import pandas as pd

from hrrxml.report.results import Cell

NAMES = [f"{m}@{k}" for m in ("P", "PSP", "nDCG", "PSnDCG") for k in range(1, 6)]


def cell(
    dataset: str,
    model: str,
    *values: float,
    ensemble: float | None = None,
    settings: dict[str, dict[str, Any]] | None = None,
) -> Cell:
    """All metrics alike, a value for each seed."""
    return Cell(
        dataset=dataset,
        model=model,
        metrics={name: list(values) for name in NAMES},
        ensemble=None if ensemble is None else {name: [ensemble] for name in NAMES},
        parameters={"output": 1000, "network": 5000},
        settings=settings or {},
        curve=pd.DataFrame(
            {"seed": range(len(values)), "epoch": 1, "validation_p1": values, "seconds": 1.0}
        ),
    )


def hrr(dataset: str, model: str, *values: float, layers: int = 2, **changed: Any) -> Cell:
    """HRR-FC with the paper's stored vectors, but for what is changed."""
    head = {
        "dim": 400,
        "loss": "absolute",
        "codebook": "random",
        "learn_pm": False,
        "project_pm": True,
        "m": "orthogonal",
    }
    head |= {"binding": True, "projection": True, "inverse": "pseudo"}
    encoder = {"layers": layers, "hidden": 512}
    settings = {"train": {"seeds": len(values), "epochs": 5}, "fc": encoder, "hrr": head | changed}
    return cell(dataset, model, *values, settings=settings)
