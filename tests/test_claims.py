"""Verdicts follow from tests, tests from numbers; nobody writes them down."""

from dataclasses import replace

import pandas as pd
import pytest
import torch
from cells import cell
from conftest import ROOT
from ruamel.yaml import YAML

from hrrxml.config import params
from hrrxml.config.yaml_text import as_yaml
from hrrxml.report.significance import paired
from hrrxml.report.results import Followed
from hrrxml.vsa import hrr
from papers import claims, evidence
from papers.claims import Check, Claim
from papers.claims.binding import kept_to_differentiate
from papers.claims.catalogue import CLAIMS
from papers.claims.composition import recovered, yes
from papers.claims.rules import is_better, is_not_better, is_same, is_worse
from papers.evidence import Evidence


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
        ([None, None], "not testable here"),
        ([None, True], "holds"),
        ([None, False], "does not hold"),
    ],
)
def test_verdicts(passed: list[bool | None], verdict: str) -> None:
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


def test_too_few_seeds_rule_out_nothing() -> None:
    """Gains of about 0.3 by five seeds, by two, and none at all."""
    clear = paired([60.3, 61.2, 59.4, 60.5, 60.1], [60.0, 61.0, 59.0, 60.2, 59.8])
    vague = paired([60.3, 62.0], [60.5, 61.2])
    none = paired([60.3, 61.2, 59.4, 60.5, 60.1], [60.2, 61.3, 59.3, 60.6, 60.2])
    assert [is_better(gap) for gap in (clear, vague, none)] == [True, None, False]
    assert [is_worse(gap) for gap in (clear, vague, none)] == [False, None, False]
    assert [is_not_better(gap) for gap in (clear, vague, none)] == [False, None, True]
    assert is_better(none, published=0.05) is None  # so small a gain may still be there
    far = [paired(values, [60.0, 60.0]) for values in ([62.0, 62.1], [60.0, 64.0])]
    assert [is_same(gap) for gap in (clear, *far)] == [True, False, None]


def test_what_is_undecided_is_counted_apart(committed: Evidence) -> None:
    checks = [Check("a", "+0.1", None), Check("b", "+0.5*", True)]
    claim = Claim("GLaS", "", "It gains", "+1", "It does", lambda _: checks)
    (entry,) = claims.ledger([claim], committed)
    assert (entry["verdict"], entry["passed"]) == ("holds", "1 of 1, 1 undecided")
    assert "a: +0.1 ?; b: +0.5*" in claims.markdown([entry])
    (entry,) = claims.ledger([replace(claim, judge=lambda _: checks[:1])], committed)
    assert entry["verdict"] == claims.UNTESTED
    assert "more seeds" in entry["needs"]


def test_binding_by_fft_keeps_two_spectra() -> None:
    d = 8
    spectra, inputs = 2 * 8 * (d // 2 + 1), 2 * 4 * d
    assert kept_to_differentiate(hrr.bind, d) == spectra + inputs
    assert kept_to_differentiate(lambda x, y: x + y, d) == 0


def test_what_is_left_of_x_and_of_noise_in_three_dimensions() -> None:
    """Eq. 10, written out: the noise is the off-diagonal part of c* ⊗ c ⊗ x."""
    c, x = torch.tensor([0.3, -1.1, 0.7]), torch.tensor([0.2, 0.5, -0.4])
    pairs = c[0] * c[1] + c[1] * c[2] + c[2] * c[0]
    eta = torch.stack([x[1] + x[2], x[2] + x[0], x[0] + x[1]]) * pairs
    torch.testing.assert_close(hrr.unbind(hrr.bind(c, x), c), c.square().sum() * x + eta)
    assert recovered(3)[1] == pytest.approx(2 / 9, rel=0.2)


def test_a_dog_tells_its_parts_by_all_their_keys_and_not_by_the_inner_one() -> None:
    found = yes("projected", 256)
    assert min(found["legs by l"], found["eyes by h and e"]) > 0.99
    assert max(found["wings by l"], found["eyes by e"]) < 0.01


def judged(says: str, committed: Evidence, **changes: object) -> list[bool | None]:
    """The checks of the one claim that begins so, on other evidence."""
    (claim,) = [claim for claim in CLAIMS if claim.says.startswith(says)]
    (entry,) = claims.ledger([claim], Evidence(**(vars(committed) | changes)))
    return [check["passed"] for check in entry["ours"]]


@pytest.mark.parametrize(
    ("change", "passed"),
    [
        ({}, True),
        ({"cosine": 0.7}, False),  # the bound is 0.66
        ({"length": 2.3}, False),  # the expression is 1.12
        ({"apart": 0.98}, False),
        ({"d": 128}, None),  # more than four times what the theorem needs: nothing was tried
    ],
)
def test_the_theorem_is_judged_by_all_its_items_at_once(
    change: dict[str, float], passed: bool | None, committed: Evidence
) -> None:
    cell = {"way": "fitted", "labels": 500, "size": 2, "points": 50, "d": 64}
    found = {"apart": 1.0, "ranked": 1.0, "cosine": 0.6, "length": 1.5}
    theorem = pd.DataFrame([cell | found | change])
    assert judged("At such d no two", committed, theorem=theorem) == [passed]


def test_the_effect_on_bibtex_must_come_back_with_every_seed(committed: Evidence) -> None:
    for last, passed in ((55.0, True), (52.0, False)):  # half of the margin is 6.95
        cells = [
            cell("bibtex", "fc-published", 46.0, 46.0),
            cell("bibtex", "hrr-fc-published", 60.0, last),
        ]
        found = judged("Spot checks", committed, cells={c.name: c for c in cells})
        assert found == [passed]


def test_the_printed_gains_are_those_of_table_1() -> None:
    printed = {claim.says: claim.published for claim in CLAIMS}
    assert printed["The regulariser gains over none"] == "+1.87"
    assert printed["HRR-CNN improves on the CNN (2 of 4 datasets)"] == "+2.9, +14.3, −4.6, −8.0"


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

    plain = followed("glas-none", [99.0, 98.0, 99.5], [60.0, 59.5, 60.2])
    for test, passed in (([62.0, 61.4, 62.1], True), ([57.0, 56.4, 57.1], False)):
        with_glas = followed("glas-glas", [90.0, 89.0, 90.4], test)
        found = judged("Regularisation narrows", committed, followed=[plain, with_glas])
        assert found == [passed]


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
    known = {*committed.cells, *(run.name for run in committed.followed)}
    for entry in ledger:
        passed = [test["passed"] for test in entry.get("ours", [])]
        assert entry["verdict"] == claims.verdict([Check("", "", each) for each in passed])
        assert known.issuperset(entry.get("runs", []))


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
