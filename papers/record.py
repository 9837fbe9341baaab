"""Record what the pipeline measured: copy the suite's results into papers/records/.

    python -m papers.record                   everything that params.yaml names
    python -m papers.record wordnet-hrr-fc    one run of it

Provenance must be true. So it refuses if anything is not committed, or if dvc.lock says that other
code or params made the results.
"""

import csv
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from safetensors.numpy import load_file

from hrrxml.config import params, paths
from hrrxml.config.schema import Params, Run
from hrrxml.report.results import read_json
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from papers import by_point, older, outcomes, records
from papers.records import Record


def main(*names: str) -> None:
    settings = params.load()
    check_committed()
    check_in_step()
    made = {(kind, name): record for kind, name, record in results(settings)}
    known = [name for _, name in made]
    if unknown := [name for name in names if name not in known]:
        raise UserError(f"{params.PATH}: no result {unknown[0]!r}; there are {', '.join(known)}")
    for (kind, name), record in made.items():
        if names and name not in names:
            continue
        if has_more_seeds(kind, name, record):
            print(f"record: {name}: kept, since the record has more seeds than this result")
            continue
        records.write(kind, name, record)
        if kind == "runs":
            outcomes.write(name, load_file(paths.outcomes(name)))
        if kind == "benchmarks":
            by_point.write(name, load_file(paths.by_point(name)))
        print(f"record: {records.path(kind, name).relative_to(Path.cwd())}")


def has_more_seeds(kind: str, name: str, record: Record) -> bool:
    """Whether there is a record already, of the same settings and of more seeds.

    The default suite trains one seed, and some runs for fewer epochs: that replaces nothing.
    """
    if kind != "runs" or not records.path(kind, name).exists():
        return False
    before = records.read(kind, name)
    fewer = len(before["metrics"]["P@1"]) > len(record["metrics"]["P@1"])
    return fewer and _but_for_length(before) == _but_for_length(record)


def _but_for_length(record: Record) -> Any:
    settings = older.current(record["settings"])
    return settings | {"train": settings["train"] | {"seeds": None, "epochs": None}}


def check_committed() -> None:
    """Refuse while git knows of any change that is not committed."""
    listed = _run("git", "status", "--porcelain").splitlines()
    # A virtual environment may lie in the project's folder under any name.
    changed = [line for line in listed if not Path(line[3:], "pyvenv.cfg").exists()]
    if changed:
        shown = ", ".join(line[3:] for line in changed[:3])
        raise UserError(f"not committed: {shown}{' …' if changed[3:] else ''}; commit first")


def check_in_step() -> None:
    """Refuse if a stage would have to run again. The page about a run is no evidence."""
    planned = _run("dvc", "repro", "--allow-missing", "--dry").splitlines()
    running = [line for line in planned if line.startswith("Running stage")]
    if stale := [line for line in running if line != "Running stage 'report':"]:
        raise UserError(f"results are not of this code: {stale[0]} `dvc repro`, then commit")


def results(settings: Params) -> Iterator[tuple[str, str, Record]]:
    """Kind, name and record of each result that params.yaml names."""
    for name, run in settings.runs.items():
        yield "runs", name, of_run(name, run)
    for name, run in settings.overfitting.items():
        _, own = params.load_run(name, section="overfitting")
        parts = _parts(run) | {"settings": params.sections_of(run, own)}
        yield (
            "followed",
            name,
            parts | _with_curve(paths.overfitting(name), paths.overfitting(name)),
        )
    for name in settings.peers:
        path = paths.peers(name)
        tools = read_json(path, f"peers@{name}")
        yield "peers", name, {"dataset": name, "tools": tools} | provenance(path)
    for name in settings.benchmarks:
        path = paths.benchmark(name)
        yield "benchmarks", name, {"measured": read_json(path, name)} | provenance(path)
    for name in settings.suite:
        path = paths.statistics(name)
        yield "datasets", name, {"counted": read_json(path, f"prepare@{name}")} | provenance(path)
    yield from _experiments(settings)


def of_run(name: str, run: Run) -> Record:
    outcome = read_json(paths.metrics(name), f"evaluate@{name}")
    machine = read_json(paths.machine(name), f"train@{name}")
    return _parts(run) | outcome | _with_curve(paths.curve(name), paths.metrics(name), machine)


def _experiments(settings: Params) -> Iterator[tuple[str, str, Record]]:
    capacity = {"settings": settings.capacity.model_dump()}
    for path in (paths.CAPACITY, paths.RESPONSES):
        yield "experiments", path.stem, capacity | {"table": columns(path)} | provenance(path)
    path = paths.COMPOSITION
    yield "experiments", path.stem, {"table": read_json(path, "capacity")} | provenance(path)
    path, theorem = paths.THEOREM, {"settings": settings.theorem.model_dump()}
    yield "experiments", path.stem, theorem | {"table": columns(path)} | provenance(path)


def _parts(run: Run) -> Record:
    return {"dataset": run.dataset, "encoder": run.encoder, "head": run.head}


def _with_curve(curve: Path, made: Path, machine: Any = None) -> Record:
    return {"curve": columns(curve)} | provenance(made, machine)


def provenance(path: Path, machine: Any = None) -> Record:
    """The commit that has this result, and what computed it where the stage wrote that down."""
    commit, date = _run("git", "log", "-1", "--format=%H %cs", "--", str(path)).split()
    return {"provenance": {"commit": commit, "date": date, "machine": machine}}


def columns(path: Path) -> dict[str, list[Any]]:
    """A CSV file by columns, with numbers as numbers."""
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [_number(row[name]) for row in rows] for name in rows[0]}


def _number(text: str) -> int | float | str | None:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text or None


def _run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        raise UserError(f"`{' '.join(words)}` failed: {done.stderr.strip()}")
    return done.stdout


if __name__ == "__main__":
    command.run(main)
