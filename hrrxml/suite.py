"""Choose what `dvc repro` runs: put a suite's datasets and runs into params.yaml.

    python -m hrrxml.suite dims              suites/dims.yaml → `suite` to `runs` there
    python -m hrrxml.suite dims eurlex-4k    the same on other datasets, any that is registered

What DVC knows of the suite's stages goes with it, from suites/lock.json into dvc.lock, and what it
knew of the last one's goes back. (DVC writes dvc.lock anew after every stage: with the entries of
all suites in it, that would take longer than many a stage.)
"""

import json
import re
import tempfile
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from hrrxml import params, stage
from hrrxml.errors import UserError
from hrrxml.files import replacing, write_text
from hrrxml.retarget import retarget
from hrrxml.schema import Params, Run
from hrrxml.yaml_text import as_yaml

FOLDER = Path("suites")
LOCK, OTHERS = Path("dvc.lock"), FOLDER / "lock.json"
# From `suite:` to the first blank line: the sections that a suite's file has, too.
SECTIONS = re.compile(r"^suite:.*\n(?:.+\n)+", re.MULTILINE)


def choose(name: str, *datasets: str) -> None:
    """Nothing but these sections changes, and nothing at all if the result is not valid."""
    known = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    if name not in known:
        raise UserError(f"{FOLDER}: no {name!r}; there are {', '.join(known)}")
    chosen = _sections((FOLDER / f"{name}.yaml").read_text(), FOLDER / f"{name}.yaml")
    if datasets:
        chosen = _elsewhere(chosen, datasets)
    text = params.PATH.read_text()
    changed = text.replace(_sections(text, params.PATH), chosen)
    _check(changed, name)
    before = params.load().runs
    write_text(params.PATH, changed)
    now = params.load()
    exchange_locks(now)
    print(f"{params.PATH}: suite {name}, {len(now.runs)} runs: {', '.join(now.runs)}")
    if dropped := [run for run in before if run not in now.runs]:
        print(f"no longer there: {', '.join(dropped)} (git has them, if you committed them)")


def runs_of(name: str, section: str = "runs") -> dict[str, Run]:
    """The runs that a suite has."""
    return params.read_runs(FOLDER / f"{name}.yaml", section)


def all_runs(section: str) -> dict[str, Run]:
    """The runs of every suite, but for those that only CI looks at."""
    names = sorted(path.stem for path in FOLDER.glob("*.yaml") if path.stem != "regression")
    return {run: entry for name in names for run, entry in runs_of(name, section).items()}


def exchange_locks(chosen: Params) -> None:
    """What is known of the chosen stages into dvc.lock, and of all others into lock.json."""
    yaml = YAML(typ="safe")
    yaml.default_flow_style = False
    current = yaml.load(LOCK)["stages"] if LOCK.exists() else {}
    others = json.loads(OTHERS.read_text()) if OTHERS.exists() else {}
    known: dict[str, Any] = others | current  # dvc.lock is what DVC itself keeps up to date
    wanted = {name: known[name] for name in sorted(known) if belongs(name, chosen)}
    rest = {name: known[name] for name in sorted(known) if name not in wanted}
    if wanted != current:
        with replacing(LOCK) as temporary:
            yaml.dump({"schema": "2.0", "stages": wanted}, temporary)
    if rest != others:
        lines = (f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in rest.items())
        write_text(OTHERS, "{\n" + ",\n".join(lines) + "\n}\n")


def belongs(stage_name: str, chosen: Params) -> bool:
    """Is a stage, like `train@wordnet-fc`, one of those that params.yaml asks for?"""
    kind, at, item = stage_name.partition("@")
    sections: dict[str, Any] = {"download": chosen.suite, "prepare": chosen.suite}
    sections |= {kind: chosen.runs for kind in ("labels", "train", "evaluate")}
    sections |= {"benchmark": chosen.benchmarks}
    sections |= {"peers": chosen.peers, "overfitting": chosen.overfitting}
    return not at or item in sections.get(kind, ())


def _elsewhere(sections: str, datasets: tuple[str, ...]) -> str:
    moved = retarget(YAML(typ="safe").load(sections), datasets, params.load().datasets)
    return as_yaml(moved)


def _check(changed: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder, name)
        trial.write_text(changed)
        try:
            params.load(trial)
        except UserError as error:
            raise UserError(str(error).replace(str(trial), f"suite {name}")) from None


def _sections(text: str, path: Path) -> str:
    found = SECTIONS.search(text)
    if found is None:
        raise UserError(f"{path}: no sections `suite` and `runs`, ended by a blank line")
    return found[0]


if __name__ == "__main__":
    stage.run(choose)
