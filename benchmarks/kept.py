"""Run the programs of benchmarks/alone, and keep their results.

A result is kept in `.checkpoints/benchmarks/`, with what it is of: the data, the tool, its version
and its settings. So a measuring that was killed goes on where it was, and a result of other data,
of another version or of other settings is measured again.
"""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.prepared import FOLDER, Prepared
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import replacing, write_json

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
KILLED = {
    -signal.SIGXCPU: "it took longer than an hour",
    -signal.SIGKILL: "its process was killed, probably out of memory",
}


class Ended(Exception):
    """The system ended a process; the text says why."""


@dataclass(frozen=True)
class Result:
    facts: dict[str, Any]
    arrays: dict[str, np.ndarray]  # `ranking` (points, 5), and what else the program left


def run(program: Sequence[str], task: dict[str, Any], data: Prepared, kept_as: str) -> Result:
    """The result of a program for a task, from where it is kept or else from a new process."""
    of = {"task": task, "data": data.digest}
    path = FOLDER / data.dataset / f"{kept_as}.json"
    if path.exists() and (known := json.loads(path.read_text()))["of"] == of:
        return _result(known, path)
    with tempfile.TemporaryDirectory() as folder:
        made = _run(program, task | {"data": str(data.folder), "folder": folder}) | {"of": of}
        if "ended" not in made:
            made["facts"] = json.loads(Path(folder, "facts.json").read_text())
            arrays = {
                file.stem: np.load(file, allow_pickle=False) for file in Path(folder).glob("*.npy")
            }
            with replacing(path.with_suffix(".npz")) as temporary:
                np.savez_compressed(temporary, allow_pickle=False, **arrays)
    write_json(path, made)
    return _result(made, path)


def _result(made: Mapping[str, Any], path: Path) -> Result:
    if "ended" in made:
        raise Ended(made["ended"])
    with np.load(path.with_suffix(".npz"), allow_pickle=False) as arrays:
        return Result(made["facts"], dict(arrays))


def _run(program: Sequence[str], task: dict[str, Any]) -> dict[str, Any]:
    done = subprocess.run(
        [*program, json.dumps(task)], env=os.environ | ONE_THREAD, capture_output=True, text=True
    )
    if done.returncode in KILLED:
        return {"ended": KILLED[done.returncode]}
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["no message"]
        raise UserError(f"{task.get('tool', program[-1])}: exit code {done.returncode}: {said[-1]}")
    return {}
