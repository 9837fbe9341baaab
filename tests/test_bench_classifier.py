"""The benchmarks of the classifier, on WordNet's animals: they measure what they say."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from helpers.project import ROOT

from benchmarks import classifier, corpora, door, new_labels, saved
from hrrxml.config import params
from hrrxml.data import points
from hrrxml.datasets import layouts
from hrrxml.datasets.prepare import prepare
from hrrxml.runtime.errors import UserError

ANIMALS = "wordnet-animals"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, wordnet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project's folder that has downloaded the animals."""
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(wordnet, tmp_path / "data/download" / ANIMALS)
    monkeypatch.chdir(tmp_path)


def test_a_collection_is_the_pipelines_data() -> None:
    found = corpora.load(ANIMALS)
    entry, settings = params.load_dataset(ANIMALS)
    corpus = layouts.read(Path("data/download", ANIMALS), entry)
    splits, _ = prepare(corpus, settings.split, settings.text)
    sizes = {split: len(splits[split]) for split in points.SPLITS}
    assert len(found.inputs) == sizes["train"] + sizes["validation"] == found.labels.shape[0]
    test = splits["test"].labels.to_csr(splits["test"].n_labels)
    assert (found.test_labels != test).nnz == 0
    assert len(found.test_inputs) == sizes["test"]


def test_the_classifier_untouched() -> None:
    result = classifier.measure(ANIMALS, seeds=1)
    assert all(len(values) == 1 for values in result["metrics"].values())
    assert min(result["metrics"]["P@1"]) > 70
    assert {"P@1", "PSP@5", "ECE@1", "ECE@5 before calibration"} <= set(result["metrics"])
    assert all(run["seconds"] > 0 and run["recipe"]["dim"] for run in result["chosen"])


def test_saved_models_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved, "in_new_process", lambda work, *arguments: work(*arguments))
    kept = {name: saved.VARIANTS[name] for name in ("float32", "float16", "pruned-0.9")}
    monkeypatch.setattr(saved, "VARIANTS", kept)
    models = saved.measure(ANIMALS)["models"]
    full, half, pruned = (models[f"hrrxml, {name}"] for name in kept)
    assert full["bytes"] > 1.8 * half["bytes"] > 1.8 * pruned["bytes"]
    assert abs(full["P@1"] - half["P@1"]) < 0.5
    assert all(model["P@1"] > 60 and model["one_ms"] > 0 for model in models.values())
    assert set(models) >= {"omikuji", "napkinxc"}


def test_new_labels_are_found_more_often_with_more_examples(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = new_labels.measure(ANIMALS)
    steps = [result[key]["recall"] for key in ("before", "1 examples", "5 examples", "20 examples")]
    assert steps[0] == 0
    assert steps == sorted(steps)
    monkeypatch.setattr("hrrxml.estimator.teaching.STRENGTH", 0)  # the pass alone, as a control
    untaught = new_labels.measure(ANIMALS)
    assert steps[-1] > 2 * untaught["20 examples"]["recall"]
    assert steps[1] > untaught["1 examples"]["recall"]
    assert result["hidden"] == round(0.1 * result["labels"])


def test_the_hidden_labels_come_last() -> None:
    whole = corpora.load(ANIMALS)
    moved, n_known = new_labels._hide(whole)
    assert sorted(np.diff(moved.labels.tocsc().indptr)) == sorted(
        np.diff(whole.labels.tocsc().indptr)
    )
    rows = new_labels._examples(moved.labels, n_known, 5)
    assert (moved.labels[rows][:, n_known:].sum(0) >= 5).all()


def test_a_step_of_the_door_that_fails(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="`git nonsense` failed in a fresh clone: git: 'nonsense'"):
        door._run(tmp_path, "git", "nonsense")


def test_the_door_runs_the_commands_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text()
    commands: list[Any] = [door.REPRO, door.FIRST_LOOK, door.EXPERIMENT]
    for command in commands:
        assert " ".join(word for word in command if word != "--quiet") in text
