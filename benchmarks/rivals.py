"""The other tools on six datasets: accuracy, core-seconds, memory and bytes.

They learn from the train and validation points, with the settings that their packages have by
default or document as their best, and rank the pipeline's test points. All read the same features:
those of the dataset, or tf-idf of its words. Each model is trained in a process of its own, on one
thread. Core-seconds are CPU time: of training, from the tool's input file to the saved model, and
of ranking all test points. `peak_mb` is the most memory that the process had, with all that it
imported and read. Finished models are kept in `.checkpoints/benchmarks/`, so that a measuring that
was killed goes on. One-versus-all is left out where 50 of its labels say that all of them would
take longer than six minutes.

PECOS needs older packages than this project. It is left out unless HRRXML_PECOS is the Python of an
environment that has benchmarks/alone/pecos.txt.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import judged, kept
from benchmarks.kept import Ended, Result
from benchmarks.prepared import Prepared, prepare
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

# Smallest first. Seeds of each tool. The larger collections (wordnet-118k, eurlex57k, tibkat, loc)
# are not among them yet: they need one to two hours more.
DATASETS = {
    "bibtex": 3,
    "delicious": 3,
    "stackexchange": 3,
    "wordnet": 3,
    "wordnet-11k": 1,
    "medline": 1,
}
BONSAI = {"cluster_balanced": False, "cluster_k": 100, "max_depth": 3}
METHODS: dict[str, tuple[str, dict[str, Any]]] = {
    "parabel": ("omikuji", {}),  # three trees
    "parabel-1": ("omikuji", {"n_trees": 1}),
    "bonsai": ("omikuji", BONSAI),  # three trees
    "plt": ("napkinxc", {"kind": "PLT"}),
    "plt-3": ("napkinxc", {"kind": "PLT", "ensemble": 3}),
    "pecos": ("pecos", {}),  # XR-Linear
    "br": ("napkinxc", {"kind": "BR"}),  # one-versus-all
}
PROBED, LONGEST = 50, 360  # labels that say how long one-versus-all takes, and seconds it may take
PECOS = "HRRXML_PECOS"
SCRIPT = Path(__file__).with_name("alone") / "rival.py"


def measure_all() -> dict[str, Any]:
    """Everything, with what is kept point by point under `by_point`: dataset/method → array."""
    return judged.everything("rivals", DATASETS, _measure)


def measure(dataset: str = "wordnet", seeds: int = 1) -> dict[str, Any]:
    """For each method, one value per seed of each metric in percent and of each cost."""
    return _measure(dataset, seeds)[0]


def _measure(dataset: str, seeds: int) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    data = prepare(dataset)
    methods: dict[str, Any] = {}
    by_point, left_out = judged.truth(data), {}
    for method in bar(METHODS, desc=dataset, unit="method", leave=False):
        try:
            results = [_run(method, seed, data) for seed in range(1 if method == "br" else seeds)]
        except Ended as why:
            left_out[method] = str(why)
            continue
        methods[method] = judged.summary(data, results)
        by_point[method] = judged.by_point(data, results)
    about = judged.describe(data) | {"versions": {t: _version(t) for t in _tools(methods)}}
    return about | {"methods": methods, "left_out": left_out}, by_point


def _tools(methods: Iterable[str]) -> set[str]:
    return {METHODS[method][0] for method in methods}


def _run(method: str, seed: int, data: Prepared) -> Result:
    """One model. BR is convex, so one seed is enough."""
    tool, settings = METHODS[method]
    if tool == "pecos" and PECOS not in os.environ:
        raise Ended(f"{PECOS} names no Python that has it")
    if method == "br":
        _check_time(data)
    return _result(tool, settings, seed, data, f"{method}-{seed}")


def _check_time(data: Prepared) -> None:
    """Raise `Ended` where one-versus-all would take too long, by the time of a few labels."""
    probe = {**METHODS["br"][1], "labels": PROBED}
    few = _result("napkinxc", probe, 0, data, "br-probe").facts["train_seconds"]
    whole = few * max(1, data.sizes["labels"] / PROBED)
    if whole > LONGEST:
        raise Ended(f"it would take {whole / 60:,.0f} core-minutes, by the time of {PROBED} labels")


def _result(tool: str, settings: dict[str, Any], seed: int, data: Prepared, name: str) -> Result:
    task = {"tool": tool, "settings": settings, "seed": seed, "version": _version(tool)}
    return kept.run([_python(tool), str(SCRIPT)], task, data, name)


def _python(tool: str) -> str:
    return os.environ[PECOS] if tool == "pecos" else sys.executable


@cache
def _version(tool: str) -> str:
    words = [_python(tool), str(SCRIPT), "--version", tool]
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        cure = f"{PECOS} is no such Python" if tool == "pecos" else 'pip install -e ".[peers]"'
        raise UserError(f"rivals need {tool}: {cure}") from error
    return done.stdout.strip()
