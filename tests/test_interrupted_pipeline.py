"""The whole pipeline, killed or started twice: the next reproduction ends as if nothing had been.

The tests share one workspace and run in order; each leaves it as the next expects it.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers import slow_report
from helpers.runs import FC, HRR, animals, shrink
from helpers.workspace import ENVIRONMENT, Workspace

pytestmark = pytest.mark.long


def two_runs(params: dict[str, Any]) -> None:
    """Those that the tests interrupt."""
    shrink(params)
    params["runs"] = {name: params["runs"][name] for name in (FC, HRR)}
    params["overfitting"] = {}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Iterator[Workspace]:
    """Reproduced once, and committed."""
    path = tmp_path_factory.mktemp("interrupted")
    workspace = animals(path, wordnet, two_runs)
    workspace.run("dvc", "repro")
    workspace.commit()
    yield workspace
    shutil.rmtree(path)


def start(workspace: Workspace, *command: str, **environment: str) -> subprocess.Popen[str]:
    """In a group of processes of its own, as a terminal starts it."""
    return subprocess.Popen(
        command,
        cwd=workspace.path,
        env=ENVIRONMENT | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def test_a_killed_reproduction_goes_on(workspace: Workspace) -> None:
    """`dvc repro` killed while it trains; the next one ends with the bytes that are in git."""
    before = workspace.md5(f"models/{HRR}")
    kept = workspace.path / f".checkpoints/train/{HRR}/0.safetensors"
    again = ["dvc", "repro", "--force", "--single-item", f"train@{HRR}"]
    process = start(workspace, *again, HRRXML_CHECKPOINT_SECONDS="0.05")
    while not kept.exists():
        assert process.poll() is None
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    assert not (workspace.path / f"models/{HRR}/0.safetensors").exists()
    assert kept.exists()
    output = workspace.run("dvc", "repro", f"train@{HRR}")
    assert f"resuming from .checkpoints/train/{HRR}/0.safetensors" in output
    assert not (workspace.path / ".checkpoints").exists()
    assert workspace.md5(f"models/{HRR}") == before
    workspace.run("git", "checkout", "--quiet", ".")
    assert workspace.stale() == []


def test_a_killed_report_leaves_every_file_wholly_old_or_wholly_new(workspace: Workspace) -> None:
    """Of what is written anew with other values; and some kills come between two files."""
    results = ("metrics.json", "summary.json", "report.html")
    made = [workspace.path / "results" / name for name in results]
    made += workspace.path.glob("plots/runs/*.svg")
    old = {path: path.read_bytes() for path in made}
    measured = workspace.path / f"results/runs/{FC}.json"
    outcome = json.loads(measured.read_text())
    for values in outcome["metrics"].values():
        values[0] = round(values[0] / 2, 2)
    measured.write_text(json.dumps(outcome))
    workspace.run(sys.executable, "-m", "stages.report")
    new = {path: path.read_bytes() for path in made}
    changed = [path for path in made if new[path] != old[path]]
    assert {path.name for path in changed} >= set(results)
    chance, between = random.Random(0), 0
    for _ in range(8):
        for path, content in old.items():
            path.write_bytes(content)
        process = slow_report.start(workspace.path)
        while process.is_alive() and all(path.read_bytes() == old[path] for path in changed):
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 1))  # it takes about two seconds to write the others
        process.kill()
        process.join()
        states = [path.read_bytes() == new[path] for path in changed]
        assert all(path.read_bytes() in (old[path], new[path]) for path in made)
        between += any(states) and not all(states)
    assert between
    workspace.run(sys.executable, "-m", "stages.report")
    assert {path: path.read_bytes() for path in made} == new
    workspace.run("git", "checkout", "--quiet", ".")
    workspace.run("dvc", "checkout", "--force")  # the page, which DVC did not see written
    assert workspace.run("git", "status", "--short") == ""  # nor is anything half written left
    assert workspace.stale() == []


def test_two_reproductions_at_once(workspace: Workspace) -> None:
    """One may be refused, but neither disturbs the other, and what is made is right."""
    before = workspace.md5(f"models/{FC}"), workspace.md5(f"models/{HRR}")
    single = ["dvc", "repro", "--force", "--single-item"]
    processes = [start(workspace, *single, f"train@{run}") for run in (FC, HRR)]
    told = [process.communicate()[0] for process in processes]
    codes = [process.returncode for process in processes]
    assert 0 in codes
    for code, words in zip(codes, told, strict=True):
        assert code == 0 or re.search("acquire lock|is busy", words), words
    workspace.run("dvc", "repro")
    assert (workspace.md5(f"models/{FC}"), workspace.md5(f"models/{HRR}")) == before
    workspace.run("git", "checkout", "--quiet", ".")
    workspace.run("dvc", "checkout")
    assert workspace.stale() == []
