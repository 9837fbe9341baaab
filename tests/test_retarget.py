"""A suite runs on any registered dataset, without cells that make no sense there."""

import pytest
from helpers.models import TEXT_ENCODERS
from helpers.project import ROOT

from hrrxml import suite
from hrrxml.config.retarget import retarget
from hrrxml.config.schema import Params
from hrrxml.runtime.errors import UserError


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


sections = suite.read


def test_own_datasets_keep_their_runs(settings: Params) -> None:
    found = retarget(sections("dims"), ["bibtex"], settings.datasets)
    own = {n: r for n, r in sections("dims")["runs"].items() if r["dataset"] == "bibtex"}
    assert found["suite"] == ["bibtex"]
    assert found["runs"] == own


def test_another_dataset_takes_the_most_similar_ones_runs(settings: Params) -> None:
    """EURLex-4K has 3,993 labels; WordNet, of the suite's datasets the nearest, 3,604."""
    found = retarget(sections("dims"), ["eurlex-4k"], settings.datasets)["runs"]
    like = [n for n, r in sections("dims")["runs"].items() if r["dataset"] == "wordnet"]
    assert list(found) == [name.replace("wordnet", "eurlex-4k") for name in like]
    assert {run["dataset"] for run in found.values()} == {"eurlex-4k"}


def test_text_encoders_only_where_there_is_text(settings: Params) -> None:
    names = ["delicious-200k", "wiki10-31k-text"]
    found = retarget(sections("table1"), names, settings.datasets)["runs"]
    of_features, of_text = (
        {run["encoder"] for run in found.values() if run["dataset"] == name} for name in names
    )
    assert of_features == {"fc"}
    assert of_text == {"fc", *TEXT_ENCODERS}


def test_the_published_setting_is_the_datasets_own(settings: Params) -> None:
    found = retarget(sections("table1"), ["delicious-200k"], settings.datasets)["runs"]
    run = found["delicious-200k-hrr-fc-published"]["settings"]
    assert run["train"]["batch_size"] == settings.datasets["delicious-200k"].paper.batch_size == 8
    assert run["hrr"]["dim"] == 3000
    assert "dim" not in found["delicious-200k-hrr-fc"].get("settings", {}).get("hrr", {})


@pytest.mark.parametrize(
    ("name", "dataset", "message"),
    [("dims", "nowhere", "no 'nowhere' in params.yaml"), ("size", "bibtex", "trains nothing")],
)
def test_mistakes_are_named(name: str, dataset: str, message: str, settings: Params) -> None:
    with pytest.raises(UserError, match=message):
        retarget(sections(name), [dataset], settings.datasets)
