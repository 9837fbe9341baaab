"""Verdicts follow from tests, tests from numbers; nobody writes them down."""

import pandas as pd
import pytest
from cells import cell
from conftest import ROOT
from ruamel.yaml import YAML

from hrrxml import claims, evidence, params
from hrrxml.claims import Check, Claim
from hrrxml.claims.catalogue import CLAIMS
from hrrxml.evidence import Evidence
from hrrxml.results import Followed
from hrrxml.yaml_text import as_yaml


@pytest.fixture
def committed(monkeypatch: pytest.MonkeyPatch) -> Evidence:
    """Everything that is in results/ now."""
    monkeypatch.chdir(ROOT)
    return evidence.read(params.load())


@pytest.mark.parametrize(
    ("passed", "verdict"),
    [
        ([True, True], "holds"),
        ([True, False], "holds in part"),
        ([False, False], "does not hold"),
        ([], "not testable here"),
    ],
)
def test_verdicts(passed: list[bool], verdict: str) -> None:
    assert claims.verdict([Check("somewhere", "1", each) for each in passed]) == verdict


def test_an_entry_has_the_tests_and_the_runs_behind_it(committed: Evidence) -> None:
    tests = [Check("a", "1.0", True, ("a-fc", "a-hrr-fc")), Check("b", "0.5", False, ("a-fc",))]
    claim = Claim("HRR", "§1", "It rains", "often", "It does", lambda _: tests)
    (entry,) = claims.ledger([claim], committed)
    assert entry["verdict"] == "holds in part"
    assert entry["passed"] == "1 of 2"
    assert entry["runs"] == ["a-fc", "a-hrr-fc"]
    text = claims.markdown([entry])
    assert "Of 1 statements" in text
    assert "| **holds in part** | 1 of 2 | It does. a: 1.0; b: 0.5 ✗ |" in text


def test_a_single_seed_decides_nothing(committed: Evidence) -> None:
    def judge(found: Evidence) -> list[Check]:
        return [Check(name, "", True) for name in found.cells]

    cells = {c.name: c for c in (cell("bibtex", "one", 1.0), cell("bibtex", "two", 1.0, 2.0))}
    claim = Claim("HRR", "", "", "", "", judge)
    (entry,) = claims.ledger([claim], Evidence(**(vars(committed) | {"cells": cells})))
    assert [test["where"] for test in entry["ours"]] == ["bibtex-two"]


def test_regularisation_is_judged_by_gap_and_test_accuracy(committed: Evidence) -> None:
    """Over seeds: a gap that narrows because both accuracies fall is no success."""

    def followed(model: str, train: list[float], test: list[float]) -> Followed:
        last = pd.DataFrame({"epoch": 2, "train": train, "test": test, "seed": range(3)})
        first = last.assign(epoch=1, train=1.0, test=99.0)
        return Followed("bibtex", model, pd.concat([first, last]))

    (claim,) = [c for c in CLAIMS if c.says.startswith("Regularisation narrows")]
    plain = followed("glas-none", [99.0, 98.0, 99.5], [60.0, 59.5, 60.2])
    for test, passed in (([62.0, 61.4, 62.1], True), ([57.0, 56.4, 57.1], False)):
        with_glas = followed("glas-glas", [90.0, 89.0, 90.4], test)
        found = Evidence(**(vars(committed) | {"followed": [plain, with_glas]}))
        (entry,) = claims.ledger([claim], found)
        assert [each["passed"] for each in entry["ours"]] == [passed]


def test_what_cannot_be_tested_says_what_it_would_take(committed: Evidence) -> None:
    """Without runs, all that is trained is untestable; with them, nothing loses its entry."""
    bare = Evidence(**(vars(committed) | {"cells": {}, "followed": [], "benchmarks": {}}))
    for entry in claims.ledger(CLAIMS, bare):
        assert (entry["verdict"] == claims.UNTESTED) == ("needs" in entry)
        assert entry.get("needs", "-")
    places = [(claim.place, claim.says) for claim in CLAIMS]
    assert len(set(places)) == len(places)


def test_the_ledger_in_git_follows_from_the_results_in_git(committed: Evidence) -> None:
    """And its verdicts from its own tests."""
    ledger = YAML(typ="safe").load(ROOT / "results/claims.yaml")
    assert ledger == claims.ledger(CLAIMS, committed)
    assert YAML(typ="safe").load(as_yaml(ledger)) == ledger
    for entry in ledger:
        passed = [test["passed"] for test in entry.get("ours", [])]
        assert entry["verdict"] == claims.verdict([Check("", "", each) for each in passed])
        for run in entry.get("runs", []):
            assert run in committed.cells


@pytest.mark.parametrize(
    "words",
    [
        "over 100×",
        "linear",
        "plateau",
        "fixed at d' ≤ 400",
        "label vectors c has no benefit",
        "Without the projection",
        "99.55%",
        "42.09%",
        "41.86%",
        "Squared error",
    ],
)
def test_the_ledger_has_the_papers_main_claims(words: str) -> None:
    assert [claim for claim in CLAIMS if words in claim.says]
