"""A few runs on WordNet's animals, which train in seconds."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.workspace import Workspace

DATASET = "wordnet-animals"
FC, HRR = "wordnet-animals-fc", "wordnet-animals-hrr-fc"
HOLOGRAPHIC = "wordnet-animals-holographic-fc"
LSTM = "wordnet-animals-glas-lstm"
ALL = (FC, HRR, HOLOGRAPHIC, LSTM)
FOLLOWED = "wordnet-animals-glas-none"
OTHER = "wordnet-11k"  # a dataset that no run uses


def shrink(params: dict[str, Any]) -> None:
    """The committed params, on the animals alone.

    DVC parses params.yaml twice for every stage, so the registry keeps two datasets.
    """
    params["suite"] = [DATASET]
    params["datasets"] = {name: params["datasets"][name] for name in (DATASET, OTHER)}
    params["runs"] = {
        FC: {"dataset": DATASET, "encoder": "fc", "head": "bce"},
        HRR: {"dataset": DATASET, "encoder": "fc", "head": "hrr"},
        HOLOGRAPHIC: {"dataset": DATASET, "encoder": "fc", "head": "holographic"},
        LSTM: {"dataset": DATASET, "encoder": "lstm", "head": "glas"},
    }
    params["overfitting"] = {
        FOLLOWED: {
            "dataset": DATASET,
            "encoder": "fc",
            "head": "glas",
            "settings": {"train": {"epochs": 2}},
        }
    }
    params["holographic"]["dim"] = 200
    # As good as a full training, but for what seeds differ by: test_end_to_end.py compares them.
    params["train"] |= {"batch_size": 32, "epochs": 5}
    params["hrr"]["dim"] = 300
    params["capacity"] |= {"dims": [64, 100], "trials": 3, "most_terms": 64}
    params["theorem"] |= {"labels": [50], "sizes": [1], "dims": [8, 64], "points": 10}


def animals(
    path: Path, wordnet: Path, change: Callable[[dict[str, Any]], None] = shrink
) -> Workspace:
    """A copy of the project that trains on the animals, with the dataset already downloaded."""
    workspace = Workspace.copy_project(path, change)
    shutil.copytree(wordnet, path / "data/download" / DATASET)
    return workspace
