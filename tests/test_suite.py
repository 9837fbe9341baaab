"""Suites change some sections of params.yaml, and only to something valid."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from helpers.project import ROOT
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


def read(text: str) -> dict[str, Any]:
    """What a suite's file with this text stands for."""
    Path("suites/tried.yaml").write_text(text)
    return suite.read("tried")


def test_the_committed_params_are_the_default_suite() -> None:
    before = params.PATH.read_text()
    suite.choose("default")
    assert params.PATH.read_text() == before


@pytest.mark.parametrize("name", NAMES)
def test_every_suite_is_valid_and_leaves_the_rest_alone(name: str, settings: Params) -> None:
    suite.choose(name)
    chosen = set(suite.read(name))
    assert chosen == {"suite", "benchmarks", "peers", "overfitting", "runs"}
    assert params.load().model_dump(exclude=chosen) == settings.model_dump(exclude=chosen)
    assert YAML(typ="safe").load(params.PATH)["runs"] == suite.read(name)["runs"]
    suite.choose("default")
    assert params.PATH.read_text() == (ROOT / "params.yaml").read_text()


@pytest.mark.parametrize(
    "name", ["wordnet", "loc", "loc-headings", "medline", "eurlex57k", "tibkat"]
)
def test_a_suite_keeps_the_licences_of_the_registry(name: str) -> None:
    licence = re.compile(rf"^  # Licence: .+\.\n  {name}:$", re.MULTILINE)
    (before,) = licence.findall(params.PATH.read_text())
    suite.choose("library", name)
    assert licence.findall(params.PATH.read_text()) == [before]


def test_the_list_shows_each_suite_with_its_cost_and_purpose(
    capsys: pytest.CaptureFixture[str],
) -> None:
    suite.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    for name, line in zip(NAMES, lines, strict=True):
        assert len(line) <= 100
        title, cost = suite.headline(name)
        assert title
        assert line.split(maxsplit=1)[1].split(cost)[1].strip() == title


def test_a_suite_without_comments_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("", "runs: {}\n"):
        Path("suites/own.yaml").write_text(text)
        suite.main()
        assert "own           cost unknown\n" in capsys.readouterr().out


def test_outside_the_project_there_are_no_suites(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    for arguments in ((), ("dims",)):
        with pytest.raises(UserError, match="no suites here; run this in the project's folder"):
            suite.main(*arguments)


def test_empty_sections_may_be_left_out() -> None:
    assert read("# nothing\n") == {
        "suite": [],
        "benchmarks": [],
        "peers": {},
        "overfitting": {},
        "runs": {},
    }


def test_a_run_is_named_after_its_dataset_and_has_what_is_common() -> None:
    """The nearer the level, the stronger: the run's own values come before all others."""
    found = read(
        "runs:\n"
        "  common: {encoder: fc, train: {epochs: 5, batch_size: 64}}\n"
        "  bibtex:\n"
        "    common: {head: bce, train: {epochs: 7}, hrr: {dim: 40}}\n"
        "    fc: {}\n"
        "    hrr-fc: {head: hrr, train: {seeds: 2}, hrr: {loss: mse}}\n"
        "  wordnet:\n"
        "    cnn: {encoder: cnn, head: bce}\n"
    )
    train = {"epochs": 7, "batch_size": 64}
    fc = {"dataset": "bibtex", "encoder": "fc", "head": "bce", "settings": {"train": train}}
    assert found["suite"] == ["bibtex", "wordnet"]
    assert found["runs"] == {
        "bibtex-fc": fc,
        "bibtex-hrr-fc": {
            "dataset": "bibtex",
            "encoder": "fc",
            "head": "hrr",
            "settings": {"train": train | {"seeds": 2}, "hrr": {"dim": 40, "loss": "mse"}},
        },
        "wordnet-cnn": {
            "dataset": "wordnet",
            "encoder": "cnn",
            "head": "bce",
            "settings": {"train": {"epochs": 5, "batch_size": 64}},
        },
    }


def test_a_run_that_changes_nothing_has_no_settings() -> None:
    found = read("runs: {wordnet: {fc: {encoder: fc, head: bce}}}\n")
    run = {"dataset": "wordnet", "encoder": "fc", "head": "bce"}
    assert found["runs"] == {"wordnet-fc": run}


def test_datasets_of_peers_and_followed_runs_belong_to_the_suite() -> None:
    found = read(
        "peers: {delicious: [plt]}\n"
        "overfitting: {bibtex: {glas-none: {encoder: fc, head: glas}}}\n"
        "runs: {wordnet: {fc: {encoder: fc, head: bce}}}\n"
    )
    assert found["suite"] == ["bibtex", "wordnet", "delicious"]
    assert set(found["overfitting"]) == {"bibtex-glas-none"}


def test_a_suite_on_another_dataset() -> None:
    suite.choose("dims", "eurlex-4k")
    chosen = params.load()
    assert chosen.suite == ["eurlex-4k"]
    assert {run.dataset for run in chosen.runs.values()} == {"eurlex-4k"}
    suite.choose("default")
    assert params.PATH.read_text() == (ROOT / "params.yaml").read_text()


def test_a_run_is_the_same_in_every_suite_that_has_it() -> None:
    """Its record has one name. Only the number of seeds may differ, and the default's epochs."""
    entries: dict[str, object] = {}
    for name in NAMES:
        for section in ("runs", "overfitting"):
            for run, entry in suite.read(name)[section].items():
                train = entry.get("settings", {}).get("train", {})
                train.pop("seeds", None)
                if name == "default" and train.get("patience", 3):
                    train.pop("epochs", None)
                assert entries.setdefault(f"{section}.{run}", entry) == entry, (name, run)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("suites: [wordnet]\n", r"suites/bad\.yaml: unknown key 'suites'; there are benchmarks"),
        (
            "runs: {wordnett: {fc: {encoder: fc, head: bce}}}\n",
            "suite bad: suite: datasets has no 'wordnett'; did you mean 'wordnet'",
        ),
        (
            "runs: {wordnet: {fc: {encoder: fc}}}\n",
            r"suites/bad\.yaml: runs\.wordnet\.fc: no head; name one here or in `common`",
        ),
        (
            "runs: {wordnet: {fc: {encoder: fc, head: bce, hrr: {dim: 3}}}}\n",
            r"runs\.wordnet\.fc: hrr is not used by this run; it uses train, fc, bce",
        ),
        (
            "runs: {wordnet: {fc: {encoder: fc, head: hhr}}}\n",
            r"suite bad: runs\.wordnet-fc\.head: no 'hhr' in heads",
        ),
    ],
)
def test_a_mistake_in_a_suite_is_named_and_changes_nothing(text: str, message: str) -> None:
    before = params.PATH.read_text()
    Path("suites/bad.yaml").write_text(text)
    with pytest.raises(UserError, match=message):
        suite.choose("bad")
    assert params.PATH.read_text() == before


def test_a_suite_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(UserError, match=f"no 'tabel1'; there are {', '.join(NAMES)}"):
        suite.choose("tabel1")


def test_a_run_that_changes_nothing_may_be_left_empty() -> None:
    Path("suites/plain.yaml").write_text(
        "runs:\n  wordnet:\n    common: {encoder: fc, head: bce}\n    fc:\n"
    )
    assert suite.read("plain")["runs"] == {
        "wordnet-fc": {"dataset": "wordnet", "encoder": "fc", "head": "bce"}
    }
