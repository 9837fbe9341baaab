"""Suites change some sections of params.yaml, and only to something valid."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import ROOT
from ruamel.yaml import YAML

from hrrxml import suite
from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.runtime.errors import UserError

NAMES = sorted(path.stem for path in (ROOT / "suites").glob("*.yaml"))


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(ROOT / "suites", tmp_path / "suites")
    monkeypatch.chdir(tmp_path)


def test_the_committed_params_are_the_default_suite() -> None:
    before = params.PATH.read_text()
    suite.choose("default")
    assert params.PATH.read_text() == before


@pytest.mark.parametrize("name", NAMES)
def test_every_suite_is_valid_and_leaves_the_rest_alone(name: str, settings: Params) -> None:
    suite.choose(name)
    chosen = {"suite", "benchmarks", "peers", "overfitting", "runs"}
    assert params.load().model_dump(exclude=chosen) == settings.model_dump(exclude=chosen)
    suite.choose("default")
    assert params.PATH.read_text() == (ROOT / "params.yaml").read_text()


def test_each_suite_keeps_what_dvc_knows_of_it() -> None:
    """dvc.lock has the chosen suite's stages alone; the others' wait, and nothing is lost."""
    yaml = YAML(typ="safe")
    entries = {"train@wordnet-cnn": {"cmd": "a"}, "train@bibtex-fc": {"cmd": "b"}}
    entries |= {"prepare@bibtex": {"cmd": "c"}, "capacity": {"cmd": "d"}, "gone@x": {"cmd": "e"}}
    suite.OTHERS.unlink(missing_ok=True)
    yaml.dump({"schema": "2.0", "stages": entries}, suite.LOCK)
    suite.choose("accuracy")
    assert set(yaml.load(suite.LOCK)["stages"]) == {"train@bibtex-fc", "prepare@bibtex", "capacity"}
    assert set(json.loads(suite.OTHERS.read_text())) == {"train@wordnet-cnn", "gone@x"}
    newer = yaml.load(suite.LOCK)["stages"] | {"train@bibtex-fc": {"cmd": "newer"}}
    yaml.dump({"schema": "2.0", "stages": newer}, suite.LOCK)
    suite.choose("default")
    assert set(yaml.load(suite.LOCK)["stages"]) == {"train@wordnet-cnn", "capacity"}
    others = json.loads(suite.OTHERS.read_text())
    assert others["train@bibtex-fc"] == {"cmd": "newer"}
    assert {**yaml.load(suite.LOCK)["stages"], **others} == entries | newer


def test_the_committed_lock_is_the_default_suites(settings: Params) -> None:
    stages = YAML(typ="safe").load(ROOT / "dvc.lock")["stages"]
    assert [name for name in stages if not suite.belongs(name, settings)] == []
    others = json.loads((ROOT / suite.OTHERS).read_text())
    assert [name for name in others if suite.belongs(name, settings)] == []


def test_a_suite_on_another_dataset() -> None:
    suite.choose("dims", "eurlex-4k")
    chosen = params.load()
    assert chosen.suite == ["eurlex-4k"]
    assert {run.dataset for run in chosen.runs.values()} == {"eurlex-4k"}
    suite.choose("default")
    assert params.PATH.read_text() == (ROOT / "params.yaml").read_text()


def test_a_run_is_the_same_in_every_suite_that_has_it() -> None:
    """Else its results would be one suite's, and another's report would show them."""
    found: dict[str, object] = {}
    for name in NAMES:
        for section in ("runs", "overfitting"):
            for run, entry in suite.runs_of(name, section).items():
                assert found.setdefault(f"{section}.{run}", entry) == entry, (name, run)


def test_mistakes_change_nothing() -> None:
    before = params.PATH.read_text()
    with pytest.raises(
        UserError, match="no 'tabel1'; there are accuracy, capacity, controls, default, dims, glas"
    ):
        suite.choose("tabel1")
    Path("suites/bad.yaml").write_text(
        "suite:\n- wordnett\nbenchmarks: []\npeers: {}\noverfitting: {}\nruns: {}\n"
    )
    with pytest.raises(UserError, match="suite bad: suite: datasets has no 'wordnett'"):
        suite.choose("bad")
    Path("suites/bad.yaml").write_text("runs: {}\n")
    with pytest.raises(UserError, match=r"suites/bad\.yaml: no sections `suite` and `runs`"):
        suite.choose("bad")
    assert params.PATH.read_text() == before
