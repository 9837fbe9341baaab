"""Choose what `dvc repro` runs: put a suite's datasets and runs into params.yaml.

python -m hrrxml.suite accuracy    suites/accuracy.yaml → `suite` to `runs` there
"""

import re
import tempfile
from pathlib import Path

from hrrxml import params, stage
from hrrxml.errors import UserError
from hrrxml.files import write_text
from hrrxml.schema import Run

FOLDER = Path("suites")
# From `suite:` to the first blank line: the sections that a suite's file has, too.
SECTIONS = re.compile(r"^suite:\n(?:.+\n)+", re.MULTILINE)


def choose(name: str) -> None:
    """Nothing but these sections changes, and nothing at all if the result is not valid."""
    known = sorted(path.stem for path in FOLDER.glob("*.yaml"))
    if name not in known:
        raise UserError(f"{FOLDER}: no {name!r}; there are {', '.join(known)}")
    chosen = _sections((FOLDER / f"{name}.yaml").read_text(), FOLDER / f"{name}.yaml")
    text = params.PATH.read_text()
    changed = text.replace(_sections(text, params.PATH), chosen)
    _check(changed, name)
    before = params.load().runs
    write_text(params.PATH, changed)
    runs = params.load().runs
    print(f"{params.PATH}: suite {name}, {len(runs)} runs: {', '.join(runs)}")
    if dropped := [run for run in before if run not in runs]:
        print(f"no longer there: {', '.join(dropped)} (git has them, if you committed them)")


def runs_of(name: str, section: str = "runs") -> dict[str, Run]:
    """The runs that a suite has."""
    return params.read_runs(FOLDER / f"{name}.yaml", section)


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
