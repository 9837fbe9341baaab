"""A run is compared with the committed one: what was set, where, and whether metrics moved."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from helpers.results import MACHINE, RUNS, write
from helpers.workspace import ENVIRONMENT

from hrrxml.config import paths
from hrrxml.report import change, results
from hrrxml.report.change import Changes
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError


def git(*words: str) -> None:
    subprocess.run(["git", *words], check=True, capture_output=True, env=ENVIRONMENT)


def compare() -> Changes:
    cells = results.read(RUNS)
    files.write_json(paths.SUMMARY, results.summarise(cells))
    return change.since_commit(cells)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    write(bce=[60.0], hrr=[65.0], glas=[60.5])
    return tmp_path


@pytest.fixture
def committed() -> None:
    """The runs as they are, in git."""
    compare()
    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "results")


def edit(path: Path, **changed: Any) -> None:
    files.write_json(path, json.loads(path.read_text()) | changed)


def test_without_git_there_is_nothing_to_compare_with(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "has no git repository with a commit" in change.verdict(compare())
    git("init", "--quiet")
    assert "has no git repository with a commit" in change.verdict(compare())
    monkeypatch.setenv("PATH", "")  # git is not installed
    assert "has no git repository with a commit" in change.verdict(compare())


def test_a_commit_without_these_runs_is_named() -> None:
    git("init", "--quiet")
    git("commit", "--quiet", "--allow-empty", "--message", "nothing")
    changes = compare()
    assert change.verdict(changes) == f"Commit {changes.commit} has no results of these runs."
    assert changes.added == list(RUNS)


@pytest.mark.usefixtures("committed")
def test_equal_digits_have_not_moved() -> None:
    changes = compare()
    assert "Nothing moved: all 9 metrics have the same digits" in change.verdict(changes)
    assert not any(changes.differences.values())
    assert (changes.added, changes.gone) == ([], [])


@pytest.mark.usefixtures("committed")
def test_small_differences_are_those_of_seeds() -> None:
    write(bce=[60.3], hrr=[64.6], glas=[60.5])
    changes = compare()
    assert changes.moved == []
    words = change.verdict(changes)
    assert f"further from commit {changes.commit} than another seed could move it" in words
    assert "of 9 differences is -0.40 (bibtex-hrr-fc, P@1); up to 3.47 may be chance" in words


@pytest.mark.usefixtures("committed")
def test_large_differences_are_named_the_furthest_first() -> None:
    write(bce=[50.0], hrr=[58.0], glas=[60.5])
    changes = compare()
    assert [move.run for move in changes.moved] == ["bibtex-fc"] * 3 + ["bibtex-hrr-fc"] * 3
    assert changes.unexplained == changes.moved
    assert change.verdict(changes).startswith("Something moved: 6 of 9 metrics are further from")
    assert change.verdict(changes).endswith("Settings and data are the same for 6 of them.")


@pytest.mark.usefixtures("committed")
def test_changed_settings_are_named_and_explain_a_move() -> None:
    write(bce=[60.0], hrr=[50.0], glas=[60.5])
    settings = {
        "train": {"epochs": 3},
        "fc": {"hidden": 512},
        "hrr": {"dim": 1500, "codebook": "x"},
    }
    edit(paths.metrics("bibtex-hrr-fc"), settings=settings)
    changes = compare()
    assert changes.settings == {
        "hrr.dim: 400 → 1500": ["bibtex-hrr-fc"],
        "hrr.codebook: none → x": ["bibtex-hrr-fc"],
    }
    assert changes.unexplained == []
    assert change.verdict(changes).endswith("The settings or data of their runs changed, too.")


@pytest.mark.usefixtures("committed")
def test_another_machine_and_other_data_are_named() -> None:
    for name in RUNS:
        edit(paths.machine(name), threads=2, packages={"torch": "2.14"})
    edit(paths.statistics("bibtex"), labels=160)
    changes = compare()
    everywhere = list(RUNS)
    assert changes.machine == {
        "threads: 1 → 2": everywhere,
        "packages.torch: 2.13 → 2.14": everywhere,
    }
    assert changes.data == {"labels: 159 → 160": everywhere}
    assert MACHINE["threads"] == 1


@pytest.mark.usefixtures("committed")
def test_runs_that_only_one_of_them_has_are_named() -> None:
    fewer = {name: run for name, run in RUNS.items() if run.head != "glas"}
    changes = change.since_commit(results.read(fewer))
    assert (changes.added, changes.gone) == ([], ["bibtex-glas-fc"])
    git("rm", "--quiet", "--cached", str(paths.metrics("bibtex-fc")))
    git("commit", "--quiet", "--message", "without fc")
    assert compare().added == ["bibtex-fc"]
    assert compare().compared == 2


@pytest.mark.usefixtures("committed")
def test_a_damaged_commit_is_named() -> None:
    paths.metrics("bibtex-fc").write_text("<<<<<<< HEAD")
    git("commit", "--quiet", "--all", "--message", "a conflict")
    write()
    with pytest.raises(UserError, match=r"bibtex-fc\.json: not valid JSON in the last commit"):
        compare()


@pytest.mark.usefixtures("committed")
def test_long_values_are_cut() -> None:
    edit(paths.statistics("bibtex"), commonest_labels=[["physics", number] for number in range(99)])
    (difference,) = compare().data
    assert re.fullmatch(
        r"commonest_labels: \[\['physics', 15.*\] → \[\['physics', 0.*…", difference
    )
    assert len(difference) < 110
