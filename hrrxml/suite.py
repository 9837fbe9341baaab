"""Choose what `dvc repro` runs: put a suite into params.yaml.

python -m hrrxml.suite                   list the suites and what they cost
python -m hrrxml.suite dims              put suites/dims.yaml into params.yaml
python -m hrrxml.suite dims eurlex-4k    the same runs on another registered dataset
"""

import io
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap

from hrrxml.config import params
from hrrxml.config.retarget import retarget
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_text

FOLDER = Path("suites")
COST = "# Cost: "  # begins a line of a suite's file, such as `# Cost: 38 core-minutes (training)`
COMMON = "common"  # key in a suite's file: settings that all runs of a level share
WIDTH = 80  # where DVC breaks the lines of params.yaml
# The part of params.yaml that a suite replaces: from `suite:` to the next blank line.
SECTIONS = re.compile(r"^suite:.*\n(?:.+\n)+", re.MULTILINE)

Sections = dict[str, Any]  # `suite`, `benchmarks`, `peers`, `overfitting` and `runs`


def main(*arguments: str) -> None:
    if not names():
        raise UserError(f"{FOLDER}/: no suites here; run this in the project's folder")
    if arguments:
        choose(*arguments)
    else:
        for name in names():
            title, cost = headline(name)
            print(f"{name:14}{cost:17}{title}".rstrip())


def choose(name: str, *datasets: str) -> None:
    """Replace the sections of params.yaml that a suite sets, if the result is valid."""
    chosen = read(name)
    if datasets:
        chosen = retarget(chosen, datasets, params.load().datasets)
    text = params.PATH.read_text()
    if SECTIONS.search(text) is None:
        raise UserError(f"{params.PATH}: no section `suite` followed by a blank line")
    changed = SECTIONS.sub(lambda _: as_text(chosen), text, count=1)
    _check(changed, name)
    write_text(params.PATH, changed)
    runs = [*chosen["runs"], *chosen["overfitting"]]
    print(f"{params.PATH}: suite {name}, {len(runs)} runs: {', '.join(runs)}")


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def path(name: str) -> Path:
    return FOLDER / f"{name}.yaml"


def headline(name: str) -> tuple[str, str]:
    """A suite's purpose and its cost, from the comments at the top of its file."""
    lines = path(name).read_text().splitlines()
    costs = [line.removeprefix(COST) for line in lines if line.startswith(COST)]
    title = lines[0] if lines and lines[0].startswith("# ") else ""
    return title.removeprefix("# "), costs[0].partition(" (")[0] if costs else "cost unknown"


def read(name: str) -> Sections:
    """A suite in the form of params.yaml; its file may omit empty sections."""
    if name not in names():
        raise UserError(f"{FOLDER}: no {name!r}; there are {', '.join(names())}")
    raw = YAML(typ="safe").load(path(name)) or {}
    empty: Sections = {"benchmarks": [], "peers": {}, "overfitting": {}, "runs": {}}
    if unknown := [key for key in raw if key not in empty]:
        raise UserError(f"{path(name)}: unknown key {unknown[0]!r}; there are {', '.join(empty)}")
    sections: Sections = empty | raw
    for kind in ("overfitting", "runs"):
        sections[kind] = _expand(sections[kind], f"{path(name)}: {kind}")
    runs = [*sections["overfitting"].values(), *sections["runs"].values()]
    datasets = dict.fromkeys([*(run["dataset"] for run in runs), *sections["peers"]])
    return {"suite": list(datasets)} | sections


def _expand(written: Mapping[str, Any], where: str) -> Sections:
    """The runs, from nested dataset → model → settings, each with a `common` entry."""
    runs = {}
    everywhere = written.get(COMMON, {})
    for dataset, models in written.items():
        if dataset == COMMON:
            continue
        shared = _merge(everywhere, models.get(COMMON, {}))
        for model, own in models.items():
            if model != COMMON:
                place = f"{where}.{dataset}.{model}"
                runs[f"{dataset}-{model}"] = _run(dataset, shared, own or {}, place)
    return runs


def _run(dataset: str, shared: Sections, own: Sections, where: str) -> Sections:
    whole = _merge(shared, own)
    if missing := [key for key in ("encoder", "head") if key not in whole]:
        raise UserError(f"{where}: no {missing[0]}; name one here or in `{COMMON}`")
    used = ("train", whole["encoder"], whole["head"])
    if unused := [key for key in own if key not in ("encoder", "head", *used)]:
        raise UserError(f"{where}: {unused[0]} is not used by this run; it uses {', '.join(used)}")
    run = {"dataset": dataset, "encoder": whole["encoder"], "head": whole["head"]}
    settings = {section: whole[section] for section in used if whole.get(section)}
    return run | ({"settings": settings} if settings else {})


def _merge(shared: Mapping[str, Any], own: Mapping[str, Any]) -> Sections:
    """Both, section by section; own values override shared ones."""
    merged = dict(shared)
    for key, value in own.items():
        merged[key] = merged.get(key, {}) | value if isinstance(value, dict) else value
    return merged


def as_text(sections: Sections) -> str:
    """YAML in DVC's format, so that an experiment changes only one line of params.yaml."""
    shown = CommentedMap(sections)
    for kind in ("overfitting", "runs"):
        shown[kind] = CommentedMap({name: _shown(run) for name, run in sections[kind].items()})
    yaml, text = YAML(), io.StringIO()
    yaml.width = WIDTH
    yaml.dump(shown, text)
    return text.getvalue()


def _shown(run: Sections) -> CommentedMap:
    shown = CommentedMap(run)
    if "settings" in run:
        shown["settings"] = CommentedMap()
        for section, values in run["settings"].items():
            shown["settings"][section] = CommentedMap(values)
            fits = len(f"      {section}: {values}") < WIDTH - 10
            if fits and not any(isinstance(value, list) for value in values.values()):
                shown["settings"][section].fa.set_flow_style()
    return shown


def _check(changed: str, name: str) -> None:
    """Raise a UserError that names the suite if the changed params.yaml is not valid."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder, name)
        trial.write_text(changed)
        try:
            params.load(trial)
        except UserError as error:
            raise UserError(str(error).replace(str(trial), f"suite {name}")) from None


if __name__ == "__main__":
    command.run(main)
