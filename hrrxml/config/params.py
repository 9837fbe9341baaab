"""Reads params.yaml, and checks all of it before anything runs."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hrrxml.config.schema import Dataset, Params, Run, full_schema
from hrrxml.config.section import Section
from hrrxml.runtime.errors import UserError

PATH = Path("params.yaml")


def load(path: Path = PATH) -> Params:
    """params.yaml as typed sections; a UserError names each wrong key."""
    params = _validate(_read(path), str(path))
    _check_names(params, path)
    for section in ("runs", "overfitting"):
        for name in getattr(params, section):
            _override(params, section, name, path)
    return params


def load_dataset(name: str, path: Path = PATH) -> tuple[Dataset, Params]:
    """One dataset's registry entry, and the params it is prepared with."""
    params = load(path)
    if name not in params.datasets:
        raise UserError(f"{path}: datasets: no {name!r}{_suggest(name, params.datasets)}")
    return params.datasets[name], params


def load_run(name: str, path: Path = PATH, section: str = "runs") -> tuple[Run, Params]:
    """One run, and the params with its `settings` applied."""
    params = load(path)
    runs = getattr(params, section)
    if name not in runs:
        raise UserError(f"{path}: {section}: no {name!r}{_suggest(name, runs)}")
    return runs[name], _override(params, section, name, path)


def used_by(run: Run, params: Params, seed: int) -> dict[str, Any]:
    """All params that the result of training one seed depends on."""
    return {"run": run.model_dump(), "seed": seed} | sections_of(run, params)


def sections_of(run: Run, params: Params) -> dict[str, dict[str, Any]]:
    """The values of the sections that a run uses; `params` come from `load_run`."""
    return {name: params.section(name).model_dump() for name in run.sections}


def _override(params: Params, section: str, name: str, path: Path) -> Params:
    raw = params.model_dump()
    for overridden, values in getattr(params, section)[name].settings.items():
        raw[overridden] |= values
    return _validate(raw, f"{path}: {section}.{name}.settings")


def _read(path: Path) -> Any:
    # ruamel.yaml reads YAML 1.2, as DVC does. PyYAML reads 1.1, where the `1e-05`
    # that `dvc exp run -S` may write is a string. Models are used without it.
    try:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError
    except ImportError as error:
        cure = 'pip install "hrrxml[pipeline]"'
        raise UserError(f"{path}: reading it needs ruamel.yaml; {cure}") from error
    try:
        return YAML(typ="safe").load(path.read_text())
    except OSError as error:
        cure = "run it in the project's root folder"
        raise UserError(f"{path}: cannot be read ({error.strerror}); {cure}") from error
    except YAMLError as error:
        raise UserError(f"{path}: not valid YAML: {error}") from error


def _validate(raw: Any, where: str) -> Params:
    try:
        return full_schema().model_validate(raw)
    except ValidationError as error:
        lines = [f"{where}: {_explain(problem)}" for problem in error.errors()]
        raise UserError("\n".join(lines)) from None


def _explain(problem: Any) -> str:
    """A line such as `hrr.dim: Input should be greater than or equal to 2, not 0`."""
    key = ".".join(map(str, _path(problem["loc"]))) or "the file"
    match problem["type"]:
        case "extra_forbidden":
            return f"{key}: unknown key{_suggest(str(problem['loc'][-1]), _known_keys())}"
        case "missing":
            return f"{key}: missing"
        case "value_error":  # from a validator of ours
            return f"{key}: {problem['ctx']['error']}"
        case _:
            return f"{key}: {problem['msg']}, not {problem['input']!r}"


def _path(location: tuple[str | int, ...]) -> list[str | int]:
    """The keys to a value, without the layout's kind, which pydantic adds after `layout`."""
    pairs = zip(("", *location), location, strict=False)
    return [part for before, part in pairs if before != "layout"]


def _known_keys(section: type[Section] = Section) -> set[str]:
    """The keys of all sections of the schema."""
    inherited = (_known_keys(subclass) for subclass in section.__subclasses__())
    return set(section.model_fields).union(*inherited)


def _suggest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, sorted(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _check_names(params: Params, path: Path) -> None:
    """Check the names that refer to other sections."""
    for dataset in params.suite:
        if dataset not in params.datasets:
            suggestion = _suggest(dataset, params.datasets)
            raise UserError(f"{path}: suite: datasets has no {dataset!r}{suggestion}")
    for dataset in params.peers:
        if dataset not in params.suite:
            raise UserError(f"{path}: peers: add {dataset!r} to suite first")
    for section in ("runs", "overfitting"):
        for name, run in getattr(params, section).items():
            where = f"{path}: {section}.{name}"
            if run.dataset not in params.suite:
                raise UserError(f"{where}.dataset: add {run.dataset!r} to suite first")
            if not name.startswith(f"{run.dataset}-"):
                raise UserError(f"{where}: name it {run.dataset}-<model>")
