"""A suite's runs on other datasets than its own: any that params.yaml registers."""

import copy
import math
from collections.abc import Iterable, Mapping
from typing import Any

from hrrxml.config.schema import Dataset
from hrrxml.runtime.errors import UserError

TEXT_ENCODERS = ("cnn", "lstm")
Sections = dict[str, Any]  # as a suite's file has them


def retarget(suite: Sections, datasets: Iterable[str], registry: Mapping[str, Dataset]) -> Sections:
    """The runs of each dataset; for one that the suite lacks, those of its most similar dataset."""
    if not suite["suite"]:
        raise UserError("this suite trains nothing: name no datasets")
    found: Sections = {"suite": list(dict.fromkeys(datasets)), "benchmarks": suite["benchmarks"]}
    found |= {"peers": {}, "overfitting": {}, "runs": {}}
    for dataset in found["suite"]:
        if dataset not in registry:
            raise UserError(f"datasets: no {dataset!r} in params.yaml")
        like = dataset if dataset in suite["suite"] else _most_similar(dataset, suite, registry)
        if like in suite["peers"]:
            found["peers"][dataset] = suite["peers"][like]
        for section in ("overfitting", "runs"):
            found[section] |= _moved(suite[section], like, dataset, registry[dataset])
    if not found["runs"] and suite["runs"]:
        raise UserError(f"{', '.join(found['suite'])}: without texts there is nothing to run")
    return found


def _most_similar(dataset: str, suite: Sections, registry: Mapping[str, Dataset]) -> str:
    """Of those with every kind of run, the nearest in labels, which decide what d' is small."""
    kinds: dict[str, set[str]] = {name: set() for name in suite["suite"]}
    for run in [*suite["overfitting"].values(), *suite["runs"].values()]:
        changed = [f"{s}.{key}" for s, keys in run.get("settings", {}).items() for key in keys]
        kinds[run["dataset"]].add(" ".join([run["encoder"], run["head"], *sorted(changed)]))
    most = max(map(len, kinds.values()))
    complete = [name for name in kinds if len(kinds[name]) == most]
    labels = registry[dataset].expect.labels
    if labels is None:
        return complete[-1]
    known = {name: registry[name].expect.labels or 1 for name in complete}
    return min(complete, key=lambda name: abs(math.log(labels / known[name])))


def _moved(runs: Mapping[str, Any], like: str, dataset: str, entry: Dataset) -> dict[str, Any]:
    found = {}
    for name, run in runs.items():
        reads_text = run["encoder"] in TEXT_ENCODERS
        if run["dataset"] == like and not (reads_text and entry.layout.kind == "repository"):
            model = name.removeprefix(f"{like}-")
            moved = copy.deepcopy(run) | {"dataset": dataset}
            if "published" in model and like != dataset:
                _train_as_published(moved, entry)
            found[f"{dataset}-{model}"] = moved
    return found


def _train_as_published(run: dict[str, Any], entry: Dataset) -> None:
    """With the d' and the batch size that the paper has for this dataset."""
    if entry.paper is not None:
        run["settings"]["train"]["batch_size"] = entry.paper.batch_size
        if run["head"] == "hrr":
            run["settings"]["hrr"]["dim"] = entry.paper.dim
