"""The comments at the top of each suite's file, and docs/suites.md, are what the records say."""

import json
import re
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from helpers.project import ROOT

from hrrxml import suite
from papers import readme, suites

NAMES = sorted(path.stem for path in (ROOT / "suites").glob("*.yaml"))
RUN = {"dataset": "bibtex", "encoder": "fc", "head": "bce"}
NOTHING: dict[str, Any] = {"benchmarks": [], "peers": {}, "overfitting": {}, "runs": {}}


@pytest.fixture(autouse=True)
def root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def record(run: str) -> Any:
    return json.loads((ROOT / "papers/records/runs" / f"{run}.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_the_comments_are_what_the_records_say(name: str) -> None:
    """If not: `python -m papers.suites`."""
    text = suite.path(name).read_text()
    assert text.splitlines()[1] == f"#   python -m hrrxml.suite {name} && dvc repro"
    assert suites.with_header(text, suite.read(name)) == text
    assert max(len(line) for line in text.splitlines() if line.startswith("#")) <= 105


def test_the_table_is_what_the_records_say() -> None:
    """If not: `python -m papers.suites`."""
    text = suites.TABLE.read_text()
    assert readme.fill(text, {"suites": suites.table()}, suites.TABLE) == text
    assert [line.split()[1] for line in text.splitlines() if line.startswith("| ")][2:] == NAMES


def test_a_cost_is_the_recorded_seconds() -> None:
    """Each run of `regression` has as many recorded seeds as the suite asks for, and one thread."""
    runs = [record(run) for run in suite.read("regression")["runs"]]
    assert {run["provenance"]["machine"]["threads"] for run in runs} == {1}
    seconds = sum(sum(run["curve"]["seconds"]) for run in runs)
    assert suite.headline("regression")[1] == f"{seconds / 60:.0f} core-minutes"


def test_a_cost_counts_the_seeds_of_the_suite() -> None:
    recorded = record("bibtex-fc")
    one = sum(recorded["curve"]["seconds"]) / len(recorded["metrics"]["P@1"])
    for seeds in (1, 60):
        run = RUN | {"settings": {"train": {"seeds": seeds}}}
        made = suites.cost(NOTHING | {"runs": {"bibtex-fc": run}})
        assert made == f"{one * seeds / 60:.0f} core-minutes (training, as recorded)"


def test_what_was_not_timed_is_said() -> None:
    some = NOTHING | {"runs": {"bibtex-fc": RUN, "bibtex-new": RUN}, "overfitting": {"a": RUN}}
    told = "(training, as recorded for 1 of 2 runs; 1 runs under `overfitting` were not timed)"
    assert suites.cost(some).endswith(told)
    unknown = NOTHING | {"runs": {"bibtex-new": RUN}}
    assert (suites.cost(unknown), suites.expectation(unknown)) == ("never run", [])
    assert suites.cost(NOTHING | {"benchmarks": ["step"]}) == "not timed"


def test_the_time_of_other_tools_counts() -> None:
    tools = json.loads((ROOT / "papers/records/peers/wordnet.json").read_text())["tools"]
    seconds = sum(sum(tool["seconds"]) for tool in tools.values())
    run = {"wordnet-fc": RUN | {"dataset": "wordnet"}}
    alone, both = (
        float(suites.cost(NOTHING | {"runs": run, "peers": peers}).split()[0])
        for peers in ({}, {"wordnet": ["plt"]})
    )
    assert both - alone == pytest.approx(seconds / 60, abs=1)


@pytest.mark.parametrize("name", NAMES)
def test_the_expected_p1_is_the_recorded_mean_and_deviation(name: str) -> None:
    lines = suites.expectation(suite.read(name))
    runs = [run for run in suite.read(name)["runs"] if (suites.records.path("runs", run)).exists()]
    text = " ".join(line.removeprefix("#").strip() for line in lines)
    shown = re.findall(r"([\w-]+) (\d+\.\d+)(?: ± ([\d.]+))?", text)
    assert bool(shown) == bool(runs)
    assert len(shown) == len(runs) or len(runs) > suites.FEW
    for run, p1, deviation in shown:
        values = record(run)["metrics"]["P@1"]
        assert float(p1) == pytest.approx(mean(values), abs=0.006)
        assert bool(deviation) == (len(values) > 1)
        if deviation:
            assert float(deviation) == pytest.approx(stdev(values), abs=0.006)
        assert run in runs


def test_of_many_runs_the_best_of_each_dataset_is_shown() -> None:
    runs = suite.read("heads")["runs"]
    best: dict[str, float] = {}
    for name, run in runs.items():
        p1 = mean(record(name)["metrics"]["P@1"])
        best[run["dataset"]] = max(best.get(run["dataset"], 0), p1)
    shown = re.findall(r"([\d.]+) ±", " ".join(suites.expectation(suite.read("heads"))))
    assert [float(p1) for p1 in shown] == pytest.approx(list(best.values()), abs=0.006)


def test_stale_lines_are_replaced_and_all_else_is_kept() -> None:
    stale = ["# Cost: 1 core-minutes", "# Expect P@1: x 1 ± 2,", "#   y 3"]
    old = "\n".join(["# Title", "#   do", *stale, "# By hand", "runs: {}", ""])
    lines = suites.with_header(old, NOTHING | {"benchmarks": ["step"]}).splitlines()
    assert lines[:3] == ["# Title", "#   do", "# Cost: not timed"]
    assert lines[3:] == ["# Expect what papers/records/benchmarks/ has", "# By hand", "runs: {}"]


def test_refreshing_changes_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It writes the committed files again, with the same bytes."""
    for folder in ("suites", "docs"):
        (tmp_path / folder).mkdir()
        for path in (ROOT / folder).glob("*"):
            (tmp_path / folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    suites.refresh()
    for path in [*tmp_path.glob("suites/*"), tmp_path / suites.TABLE]:
        assert path.read_bytes() == (ROOT / path.relative_to(tmp_path)).read_bytes()
