"""Records say what was measured and by what; recording and verifying keep them true."""

import json
from pathlib import Path
from typing import Any

import pytest
from helpers.project import ROOT
from helpers.runs import DATASET, HRR, shrink
from helpers.workspace import Workspace

from hrrxml import suite
from hrrxml.config import params
from hrrxml.config.schema import Params, Run
from hrrxml.runtime.errors import UserError
from papers import older, records, verify

RUNS = records.names("runs")


def settings_of(run: dict[str, Any], settings: Params) -> dict[str, Any]:
    """The sections that a suite's run uses, with its own values."""
    sections = params.sections_of(Run.model_validate(run), settings)
    return {
        name: values | run.get("settings", {}).get(name, {}) for name, values in sections.items()
    }


@pytest.mark.parametrize("name", suite.names())
def test_recorded_settings_are_those_that_the_suite_asks_for(
    name: str, settings: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for the number of seeds and of epochs: the default suite trains fewer than others."""
    monkeypatch.chdir(ROOT)
    chosen = suite.read(name)
    for kind, section in (("runs", "runs"), ("followed", "overfitting")):
        recorded = [run for run in chosen[section] if run in records.names(kind)]
        for run in recorded:
            recorded_settings = older.current(records.read(kind, run)["settings"])
            asked = settings_of(chosen[section][run], settings)
            length = {"seeds", "epochs"} if name == "default" else {"seeds"}
            for part in (asked, recorded_settings):
                part["train"] = {k: v for k, v in part["train"].items() if k not in length}
            assert recorded_settings == asked, run


@pytest.mark.parametrize("kind", records.KINDS)
def test_every_record_has_its_provenance(kind: str) -> None:
    assert records.names(kind)
    for name, record in records.read_all(kind).items():
        provenance = record["provenance"]
        assert len(provenance["commit"]) == 40, name
        assert set(provenance) <= {"commit", "date", "machine", "source", "lock"}, name


def test_every_run_has_a_value_per_seed_and_a_curve_per_seed() -> None:
    for name in RUNS:
        record = records.read("runs", name)
        seeds = set(record["curve"]["seed"])
        assert {len(values) for values in record["metrics"].values()} == {len(seeds)}, name


def test_a_list_of_numbers_takes_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "FOLDER", tmp_path)
    record = {"b": {"x": [1, 2.5, None]}, "a": [], "c": ["u, v", "w"]}
    records.write("runs", "one", record)
    text = records.path("runs", "one").read_text()
    assert '"x": [1, 2.5, null]' in text
    assert json.loads(text) == record
    with pytest.raises(UserError, match="no such record"):
        records.read("runs", "two")


def test_a_sample_depends_on_the_commit_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("HRRXML_MIRROR", raising=False)
    chosen = verify.sample(3)
    assert chosen == verify.sample(3)
    for name in chosen:
        record = records.read("runs", name)
        assert record["dataset"].startswith("wordnet")  # the package index has no other
        assert verify.seconds(record) * verify.SEEDS < verify.QUICK
    assert verify.sample(0) == []


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Workspace:
    """A project with one tiny run of three seeds, trained and committed."""

    def change(whole: dict[str, Any]) -> None:
        shrink(whole)
        whole["runs"] = {HRR: whole["runs"][HRR] | {"settings": {"train": {"seeds": 3}}}}
        whole["overfitting"] = {}

    workspace = Workspace.copy_project(tmp_path_factory.mktemp("recorded"), change)
    (workspace.path / "data/download").mkdir(parents=True, exist_ok=True)
    (workspace.path / "data/download" / DATASET).symlink_to(wordnet)
    workspace.run("dvc", "repro", "--quiet")
    return workspace


def test_only_what_is_committed_is_recorded(recorded: Workspace) -> None:
    path = recorded.path / "papers/records/runs" / f"{HRR}.json"
    path.unlink()  # of ten seeds
    recorded.commit()
    (recorded.path / "hrrxml/stray.py").write_text("")
    refusal = recorded.run("python", "-m", "papers.record", fails=True)
    assert "error: not committed: hrrxml/stray.py; commit first" in refusal
    (recorded.path / "hrrxml/stray.py").unlink()
    shown = recorded.run("python", "-m", "papers.record", HRR)
    assert f"papers/records/runs/{HRR}.json" in shown
    record = json.loads(path.read_text())
    outcome = json.loads((recorded.path / f"results/runs/{HRR}.json").read_text())
    assert {key: record[key] for key in outcome} == outcome
    head = recorded.run("git", "rev-parse", "HEAD").strip()
    assert record["provenance"]["commit"] == head
    assert record["provenance"]["machine"]["threads"] >= 1
    recorded.commit()


def test_results_of_other_code_are_not_recorded(recorded: Workspace) -> None:
    recorded.edit("hrrxml/heads/hrr.py", "TINY = 1e-12", "TINY = 1e-11")
    recorded.commit()
    refusal = recorded.run("python", "-m", "papers.record", fails=True)
    assert "error: results are not of this code" in refusal
    recorded.edit("hrrxml/heads/hrr.py", "TINY = 1e-11", "TINY = 1e-12")
    recorded.commit()


def test_a_record_of_more_seeds_is_kept(recorded: Workspace) -> None:
    path = recorded.path / "papers/records/runs" / f"{HRR}.json"
    record = json.loads(path.read_text())
    record["metrics"] = {name: [*values, 1.0] for name, values in record["metrics"].items()}
    path.write_text(json.dumps(record))
    recorded.commit()
    assert "kept, since the record has more seeds" in recorded.run("python", "-m", "papers.record")
    recorded.run("git", "revert", "--no-edit", "HEAD")


def test_verification_passes_and_fails_with_a_broken_loss(recorded: Workspace) -> None:
    assert "nothing moved" in recorded.run("python", "-m", "papers.verify", HRR)
    recorded.edit(
        "hrrxml/heads/hrr.py",
        "return (len(labels.ids) - similarity) / count",
        "return (len(labels.ids) + similarity) / count",
    )
    refusal = recorded.run("python", "-m", "papers.verify", HRR, fails=True)
    assert f"error: further from the record than seeds are: {HRR} P@1" in refusal


def test_what_cannot_be_verified_is_said(recorded: Workspace) -> None:
    assert "no such record" in recorded.run("python", "-m", "papers.verify", "wordnt", fails=True)
    assert "name a record" in recorded.run("python", "-m", "papers.verify", fails=True)
    few = recorded.run("python", "-m", "papers.verify", "wordnet-118k-holographic-fc", fails=True)
    assert "2 recorded seeds are too few to judge by" in few
