"""Small trainings for as long as you like, killed at random: nothing wrong, lost or left behind.

    python tests/soak.py 60 docs/soak.md    for an hour; the summary goes there

Every episode trains one run of WordNet's animals, with one process or two, and disturbs it: SIGKILL
or SIGTERM to the group, SIGKILL to one of two processes, a damaged checkpoint, `dvc repro` killed
as a whole. Then it is left alone, and what comes in the end is compared, byte by byte, with what an
undisturbed run made. Not collected by pytest: the name is no `test_`.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd
from helpers.runs import FC, HOLOGRAPHIC, HRR, shrink
from helpers.workspace import ENVIRONMENT, Workspace

from hrrxml.config import paths
from hrrxml.config.params import load
from hrrxml.datasets import sources
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_text

RUNS = (FC, HRR, HOLOGRAPHIC)
PARAMS = {FC: {"seeds": 2, "epochs": 10}, HRR: {"epochs": 30}, HOLOGRAPHIC: {"epochs": 12}}
BYTES_OF = ("data", "models", "results", ".checkpoints", ".dvc/tmp")


@dataclass
class Soak:
    workspace: Workspace
    chance: random.Random
    expected: dict[str, list[Any]] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0  # seconds from the end of the first of a group to that of the last
    disk: list[int] = field(default_factory=list)  # bytes after each episode
    memory: dict[str, list[int]] = field(default_factory=dict)  # kB at most, of each run's last

    def episode(self) -> None:
        run = self.chance.choice(RUNS)
        for _ in range(self.chance.randint(0, 4)):
            self.disturb(run)
            if self.chance.random() < 0.2:
                self.damage(run)
        self.memory.setdefault(run, []).append(self.train(run))
        found = self.outcome(run)
        self.counts["episodes"] += 1
        self.counts["wrong results"] += found != self.expected.setdefault(run, found)
        self.counts["checkpoints left"] += (self.workspace.path / ".checkpoints").exists()
        self.disk.append(self.used())

    def disturb(self, run: str) -> None:
        """Start it, by itself or by DVC, and kill it at some moment."""
        command = [sys.executable, "-m", "stages.train", run]
        if by_dvc := self.chance.random() < 0.15:
            command = ["dvc", "repro", "--force", "--single-item", f"train@{run}"]
        process = self.start(command)
        time.sleep(self.chance.uniform(0, 12 if by_dvc else 8))
        ranks = children(process.pid)
        how = self.chance.choice([signal.SIGKILL, signal.SIGTERM])
        if process.poll() is not None:
            self.counts["ended before they were killed"] += 1
        elif not by_dvc and len(ranks) == 2 and self.chance.random() < 0.5:
            os.kill(self.chance.choice(ranks), signal.SIGKILL)
            self.counts["kills of one process of two"] += 1
        else:
            os.killpg(process.pid, how)
            self.counts[f"kills by {how.name}{', of dvc' if by_dvc else ''}"] += 1
        process.wait(90)
        self.counts["processes left"] += self.left(process.pid)

    def left(self, leader: int) -> bool:
        """Whether one of the group is there after a minute; asked to end, it may write first."""
        begun = time.monotonic()
        while group(leader) and time.monotonic() - begun < 60:
            time.sleep(0.1)
        self.slowest = max(self.slowest, time.monotonic() - begun)
        return bool(group(leader))

    def damage(self, run: str) -> None:
        """Cut the checkpoint short, or flip a bit of it."""
        for path in (self.workspace.path / ".checkpoints/train" / run).glob("*.safetensors"):
            content = bytearray(path.read_bytes())
            if self.chance.random() < 0.5:
                content = content[: self.chance.randrange(len(content))]
            else:
                content[self.chance.randrange(len(content))] ^= 1 << self.chance.randrange(8)
            path.write_bytes(content)
            self.counts["damaged checkpoints"] += 1

    def train(self, run: str) -> int:
        """Undisturbed, to the end; the most memory it had, in kB."""
        process = self.start([sys.executable, "-m", "stages.train", run])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.counts["undisturbed runs that failed"] += process.returncode != 0
        return usage.ru_maxrss

    def start(self, command: list[str]) -> subprocess.Popen[bytes]:
        often = {"HRRXML_CHECKPOINT_SECONDS": "0.2", "OMP_NUM_THREADS": "1"}
        return subprocess.Popen(
            command,
            cwd=self.workspace.path,
            env=ENVIRONMENT | often,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def outcome(self, run: str) -> list[Any]:
        models, curve = self.workspace.path / "models" / run, f"results/curves/{run}.csv"
        weights = {path.name: path.read_bytes() for path in sorted(models.iterdir())}
        rows = pd.read_csv(self.workspace.path / curve).drop(columns="seconds")
        return [weights, rows.to_csv()]

    def used(self) -> int:
        folders = [self.workspace.path / name for name in BYTES_OF]
        return sum(p.stat().st_size for f in folders for p in f.rglob("*") if p.is_file())

    def summary(self, minutes: float) -> str:
        quarter = max(1, len(self.disk) // 4)
        first, last = self.disk[:quarter], self.disk[-quarter:]
        rows = [f"| {what} | {count} |" for what, count in sorted(self.counts.items())]
        rows += [f"| seconds until all of a killed group were gone, most | {self.slowest:.1f} |"]
        rows += [f"| disk, first quarter of the episodes, most | {max(first) / 2**20:.1f} MB |"]
        rows += [f"| disk, last quarter, most | {max(last) / 2**20:.1f} MB |"]
        for run, sizes in sorted(self.memory.items()):
            half = max(1, len(sizes) // 2)
            before, after = max(sizes[:half]) / 1024, max(sizes[-half:]) / 1024
            rows += [f"| memory of {run}, first and second half | {before:.0f}, {after:.0f} MB |"]
        title = f"# {minutes:.0f} minutes of kills\n\nBy `python tests/soak.py`, on two cores.\n\n"
        return title + "| what | how often or how much |\n| --- | ---: |\n" + "\n".join(rows) + "\n"


def children(parent: int) -> list[int]:
    return [int(pid) for pid, ppid, _ in processes() if ppid == str(parent)]


def group(leader: int) -> list[str]:
    """Those of a group that are more than a name."""
    return [pid for pid, _, pgid in processes() if pgid == str(leader)]


def processes() -> list[list[str]]:
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,pgid=,stat="], capture_output=True, text=True)
    rows = [line.split() for line in listed.stdout.splitlines()]
    return [row[:3] for row in rows if not row[3].startswith("Z")]


def prepare(folder: Path) -> Workspace:
    def settings(params: Any) -> None:
        shrink(params)
        for run in RUNS:
            params["runs"][run]["settings"] = {"train": PARAMS[run]}
        params["runs"][HOLOGRAPHIC]["settings"]["train"]["processes"] = 2
        params["runs"] = {run: params["runs"][run] for run in RUNS}
        params["overfitting"] = {}

    workspace = Workspace.copy_project(folder, settings)
    entry = load(folder / "params.yaml").datasets["wordnet-animals"]
    sources.fetch(entry, folder / paths.download("wordnet-animals"))
    workspace.run("dvc", "repro", "evaluate")
    return workspace


def main(minutes: str, destination: str) -> None:
    target, length = Path(destination).resolve(), float(minutes)
    with tempfile.TemporaryDirectory() as folder:
        soak = Soak(prepare(Path(folder)), random.Random(0))
        soak.expected = {run: soak.outcome(run) for run in RUNS}
        for name in ("wrong results", "processes left", "checkpoints left"):
            soak.counts[name] = 0
        end = time.monotonic() + 60 * length
        while time.monotonic() < end:
            soak.episode()
            write_text(target, soak.summary(length))
            print(dict(soak.counts), flush=True)
        shutil.rmtree(folder)
        Path(folder).mkdir()
    wrong = ("wrong results", "processes left", "checkpoints left", "undisturbed runs that failed")
    if any(soak.counts[name] for name in wrong):
        raise UserError(f"{target}: something went wrong")


if __name__ == "__main__":
    command.run(main)
