"""Seconds that a newcomer waits, from a fresh clone with nothing cached, download included.

`first_look` is one model, `repro` the whole default suite, `nothing_to_do` the same command again,
and `experiment` README's `dvc exp run`. The environment is installed already. Run it on a machine
that does nothing else. It clones HEAD: what is not committed is not measured.
"""

import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from hrrxml.runtime import machine
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bar

FIRST_LOOK = ("dvc", "repro", "--quiet", "evaluate@wordnet-hrr-fc")
REPRO = ("dvc", "repro", "--quiet")
EXPERIMENT = ("dvc", "exp", "run", "--quiet", "-S", "hrr.dim=1500")
# The hashes of dependencies have columns, too: they are left out.
SHOW = ("dvc", "exp", "show", "--only-changed", "--drop", ".*/|State|Executor|Created")


def measure(repeats: int = 3) -> dict[str, Any]:
    rounds, tables = zip(
        *(_round() for _ in bar(range(repeats), desc="door", unit="clone")), strict=True
    )
    return {
        "seconds": {step: [times[step] for times in rounds] for step in rounds[0]},
        "median": {step: statistics.median(times[step] for times in rounds) for step in rounds[0]},
        "show": " ".join([*SHOW[:-1], f"'{SHOW[-1]}'"]),
        "shown": tables[0].splitlines(),
        "machine": machine.describe(),
    }


def _round() -> tuple[dict[str, float], str]:
    """The seconds of each step, and the table of experiments in the end."""
    with tempfile.TemporaryDirectory() as folder:
        look, whole = Path(folder, "look"), Path(folder, "whole")
        for clone in (look, whole):
            _run(Path.cwd(), "git", "clone", "--quiet", ".", str(clone))
        times = {"first_look": _time(look, *FIRST_LOOK), "repro": _time(whole, *REPRO)}
        times["nothing_to_do"] = _time(whole, *REPRO)
        for setting in ("user.name", "user.email"):
            _run(whole, "git", "config", setting, "benchmark")
        _run(whole, "git", "commit", "--quiet", "--allow-empty", "--all", "--message", "This run")
        times["experiment"] = _time(whole, *EXPERIMENT)
        return times, _run(whole, *SHOW)


def _time(folder: Path, *command: str) -> float:
    """The seconds of a command."""
    start = time.perf_counter()
    _run(folder, *command)
    return round(time.perf_counter() - start, 1)


def _run(folder: Path, *command: str) -> str:
    """What a command prints; it must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise UserError(f"`{' '.join(command)}` failed in a fresh clone: {done.stderr[-300:]}")
    return done.stdout
