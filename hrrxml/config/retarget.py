"""Move a suite's runs to other datasets of the registry in params.yaml."""

import copy
import math
from collections.abc import Iterable, Mapping
from typing import Any

from hrrxml.config.schema import Dataset
from hrrxml.layers.words import WordSettings
from hrrxml.runtime import registry as parts
from hrrxml.runtime.errors import UserError

Sections = dict[str, Any]  # `suite`, `benchmarks`, `peers`, `overfitting` and `runs`


def retarget(suite: Sections, datasets: Iterable[str], registry: Mapping[str, Dataset]) -> Sections:
    """The suite on `datasets`; a dataset it lacks gets the runs of its most similar dataset."""
    if not suite["suite"]:
        raise UserError("this suite trains nothing; choose it without dataset names")
    chosen: Sections = {"suite": list(dict.fromkeys(datasets)), "benchmarks": suite["benchmarks"]}
    chosen |= {"peers": {}, "overfitting": {}, "runs": {}}
    for dataset in chosen["suite"]:
        if dataset not in registry:
            raise UserError(f"datasets: no {dataset!r} in params.yaml; register it there")
        own = dataset in suite["suite"]
        source = dataset if own else _most_similar(dataset, suite, registry)
        if source in suite["peers"]:
            chosen["peers"][dataset] = suite["peers"][source]
        for section in ("overfitting", "runs"):
            chosen[section] |= _moved(suite[section], source, dataset, registry[dataset])
    if not chosen["runs"] and suite["runs"]:
        names = ", ".join(chosen["suite"])
        raise UserError(f"{names}: no texts, which all runs of this suite read; name others")
    return chosen


def _most_similar(dataset: str, suite: Sections, registry: Mapping[str, Dataset]) -> str:
    """Among the datasets with every kind of run, the one with the closest number of labels.

    The number of labels matters most, because d' is chosen relative to it.
    """
    kinds: dict[str, set[str]] = {name: set() for name in suite["suite"]}
    for run in [*suite["overfitting"].values(), *suite["runs"].values()]:
        settings = [f"{s}.{key}" for s, keys in run.get("settings", {}).items() for key in keys]
        kinds[run["dataset"]].add(" ".join([run["encoder"], run["head"], *sorted(settings)]))
    most = max(map(len, kinds.values()))
    complete = [name for name in kinds if len(kinds[name]) == most]
    labels = registry[dataset].expect.labels
    if labels is None:
        return complete[-1]
    sizes = {name: registry[name].expect.labels or 1 for name in complete}
    return min(complete, key=lambda name: abs(math.log(labels / sizes[name])))


def _moved(runs: Mapping[str, Any], source: str, dataset: str, entry: Dataset) -> dict[str, Any]:
    """The runs of the dataset `source`, on another dataset."""
    moved = {}
    for name, run in runs.items():
        reads_text = _reads_text(run["encoder"])
        if run["dataset"] == source and not (reads_text and entry.layout.kind == "repository"):
            model = name.removeprefix(f"{source}-")
            own = copy.deepcopy(run) | {"dataset": dataset}
            if "published" in model and source != dataset:
                _train_as_published(own, entry)
            moved[f"{dataset}-{model}"] = own
    return moved


def _train_as_published(run: dict[str, Any], entry: Dataset) -> None:
    """Set d' and the batch size to the paper's values for this dataset."""
    if entry.paper is not None:
        run["settings"]["train"]["batch_size"] = entry.paper.batch_size
        if run["head"] == "hrr":
            run["settings"]["hrr"]["dim"] = entry.paper.dim


def _reads_text(encoder: str) -> bool:
    """Whether an encoder reads words in order, which a dataset of features alone does not have."""
    return issubclass(parts.load("hrrxml.encoders", encoder).Settings, WordSettings)
