"""The training stage as the world treats it: killed at any moment, in one process or several.

Every test ends by comparing bytes with a run that nobody disturbed.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from helpers.runs import FC, HOLOGRAPHIC, HRR, animals, shrink
from helpers.workspace import ENVIRONMENT, Workspace

from hrrxml.runtime.files import _is_running

pytestmark = pytest.mark.long

KILLS = 20
OFTEN = ENVIRONMENT | {"HRRXML_CHECKPOINT_SECONDS": "0.05", "OMP_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Iterator[Workspace]:
    def longer(params: Any) -> None:
        shrink(params)
        params["train"]["epochs"] = 15
        for run in (HOLOGRAPHIC, FC):
            params["runs"][run]["settings"] = {"train": {"epochs": 3, "seeds": 2, "processes": 2}}

    path = tmp_path_factory.mktemp("survival")
    workspace = animals(path, wordnet, longer)
    for stage in ("download", "prepare"):
        workspace.run(sys.executable, "-m", f"stages.{stage}", "wordnet-animals")
    for run in (FC, HRR, HOLOGRAPHIC):
        workspace.run(sys.executable, "-m", "stages.labels", run)
    yield workspace
    shutil.rmtree(path)


def start(workspace: Workspace, run: str) -> subprocess.Popen[str]:
    """In a group of processes of its own, as a terminal starts it."""
    command = [sys.executable, "-m", "stages.train", run]
    options: Any = {"text": True, "stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL}
    return subprocess.Popen(
        command, cwd=workspace.path, env=OFTEN, start_new_session=True, **options
    )


def train(workspace: Workspace, run: str) -> str:
    """Undisturbed, to the end; what it told."""
    process = start(workspace, run)
    _, told = process.communicate()
    assert process.returncode == 0, told
    assert not (workspace.path / ".checkpoints").exists()
    return told


def outcome(workspace: Workspace, run: str) -> list[Any]:
    """Weights, metrics, and the curve without its seconds; they are taken away."""
    workspace.run(sys.executable, "-m", "stages.evaluate", run)
    models, results = workspace.path / "models" / run, workspace.path / "results"
    weights = {path.name: path.read_bytes() for path in sorted(models.iterdir())}
    metrics = (results / f"runs/{run}.json").read_bytes()
    curve = pd.read_csv(results / f"curves/{run}.csv").drop(columns="seconds")
    shutil.rmtree(models)
    return [weights, metrics, curve.to_csv()]


class Undisturbed(dict[str, list[Any]]):
    """What each run comes to if nobody disturbs it; trained when it is first asked for."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.workspace = workspace

    def __missing__(self, run: str) -> list[Any]:
        train(self.workspace, run)
        self[run] = outcome(self.workspace, run)
        return self[run]


@pytest.fixture(scope="module")
def undisturbed(workspace: Workspace) -> Undisturbed:
    return Undisturbed(workspace)


def wait_for_checkpoint(workspace: Workspace, run: str, process: subprocess.Popen[str]) -> None:
    """Until this process has written one, or has ended."""
    begun = time.time()
    folder = workspace.path / ".checkpoints/train" / run
    while process.poll() is None:
        paths = folder.glob("*.safetensors")
        if any(path.exists() and path.stat().st_mtime > begun for path in paths):
            return
        time.sleep(0.01)


def kill_group(process: subprocess.Popen[str], how: signal.Signals) -> str:
    """All at once; nobody is left."""
    os.killpg(process.pid, how)
    _, told = process.communicate(timeout=60)
    for _ in range(100):
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return told
        time.sleep(0.1)
    raise AssertionError("a process of the group is left")


def test_killed_at_twenty_random_moments(workspace: Workspace, undisturbed: Undisturbed) -> None:
    """While it starts, trains, ranks or writes: what comes in the end has the same bytes."""
    expected = undisturbed[HRR]
    chance = random.Random(0)
    kills = 0
    while kills < KILLS:
        process = start(workspace, HRR)
        if chance.random() < 0.8:
            wait_for_checkpoint(workspace, HRR, process)
            time.sleep(chance.uniform(0, 1))
        else:
            time.sleep(chance.uniform(0, 3))
        if process.poll() is not None:  # it had reached the end
            process.communicate()
            assert outcome(workspace, HRR) == expected
            continue
        told = kill_group(process, chance.choice([signal.SIGTERM, signal.SIGKILL]))
        assert "Traceback" not in told
        kills += 1
    train(workspace, HRR)
    assert outcome(workspace, HRR) == expected


def test_side_by_side_as_alone(workspace: Workspace, undisturbed: Undisturbed) -> None:
    """Two workers on one machine make the bytes that each would make by itself."""
    alone = [undisturbed[run] for run in (FC, HRR)]
    for process in [start(workspace, run) for run in (FC, HRR)]:
        _, told = process.communicate()
        assert process.returncode == 0, told
    assert [outcome(workspace, run) for run in (FC, HRR)] == alone


def test_sigterm_loses_nothing(workspace: Workspace) -> None:
    process = start(workspace, HRR)
    wait_for_checkpoint(workspace, HRR, process)
    told = kill_group(process, signal.SIGTERM)
    assert process.returncode == 128 + signal.SIGTERM
    assert f"terminated; the next run resumes from .checkpoints/train/{HRR}/0.safetensors" in told
    shutil.rmtree(workspace.path / ".checkpoints")


def test_a_checkpoint_of_other_params_is_not_gone_on_from(workspace: Workspace) -> None:
    process = start(workspace, HRR)
    wait_for_checkpoint(workspace, HRR, process)
    kill_group(process, signal.SIGKILL)
    workspace.edit("params.yaml", "epochs: 15", "epochs: 1")
    assert "made with other params: ignored, training from the start" in train(workspace, HRR)
    altered = outcome(workspace, HRR)
    train(workspace, HRR)
    assert outcome(workspace, HRR) == altered
    workspace.edit("params.yaml", "epochs: 1 ", "epochs: 15 ")


def test_a_process_that_dies_ends_all_and_the_next_run_goes_on(
    workspace: Workspace, undisturbed: Undisturbed
) -> None:
    """Of two; by SIGKILL, as the system does it when memory is short."""
    expected = undisturbed[HOLOGRAPHIC]
    process = start(workspace, HOLOGRAPHIC)
    wait_for_checkpoint(workspace, HOLOGRAPHIC, process)
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True)
    ranks = [int(word) for word in listed.stdout.split()]
    assert len(ranks) == 2
    os.kill(ranks[1], signal.SIGKILL)
    before = time.monotonic()
    _, told = process.communicate(timeout=60)
    assert time.monotonic() - before < 15
    assert process.returncode == 1
    assert "error: process 1 of 2 was killed (SIGKILL); run it again to resume" in told
    assert "Traceback" not in told
    assert not any(_is_running(rank) for rank in ranks)
    assert f"resuming from .checkpoints/train/{HOLOGRAPHIC}/" in train(workspace, HOLOGRAPHIC)
    assert outcome(workspace, HOLOGRAPHIC) == expected


def test_a_group_of_processes_dies_together(workspace: Workspace) -> None:
    for how in (signal.SIGKILL, signal.SIGTERM):
        process = start(workspace, HOLOGRAPHIC)
        wait_for_checkpoint(workspace, HOLOGRAPHIC, process)
        told = kill_group(process, how)
    assert process.returncode == 128 + signal.SIGTERM
    assert told.count("terminated; the next run resumes from .checkpoints") == 1
    assert "error" not in told
    shutil.rmtree(workspace.path / ".checkpoints")


def test_torchrun_does_what_the_param_does(workspace: Workspace, undisturbed: Undisturbed) -> None:
    expected = undisturbed[FC]
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    torchrun += ["--nproc-per-node=2", "-m", "stages.train", FC]
    done = subprocess.run(
        torchrun, cwd=workspace.path, env=OFTEN, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert outcome(workspace, FC) == expected
