"""The study: verdicts follow from checks, checks from records; nobody writes them down."""

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from helpers.cells import cell
from helpers.evidence import evidence
from helpers.project import ROOT
from ruamel.yaml import YAML

from hrrxml.config.yaml_text import as_yaml
from hrrxml.experiments.capacity import composition
from hrrxml.runtime.errors import UserError
from papers import __main__ as command
from papers import evidence as evidence_module
from papers import markdown, readme, records, study
from papers.claim import (
    FIGURE,
    KINDS,
    NOT_RUN,
    OURS,
    STATEMENT,
    UNTESTED,
    VERDICTS,
    Check,
    Claim,
    judge,
    ledger,
    verdict,
)
from papers.evidence import Evidence
from papers.hrr import datasets
from papers.ledger import introduction
from papers.markdown import claims_table
from papers.rules import is_better, is_not_below, is_not_better, is_same, is_worse
from papers.significance import paired

CLAIMS = study.claims()
RAIN = Claim(
    paper="HRR", place="§1", kind=FIGURE, says="It rains", published="often", rule="It does"
)
# Words that lean on a neighbour: rows are sorted, and stand alone.
LEANING = re.compile(
    r"^(So|Nor|It (?!is )|Its|They|This|That|Above that)\b|the same way|of the same\b"
)


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ([True, True], "holds"),
        ([True, False], "holds in part"),
        ([False, False], "does not hold"),
        ([None, None], "undecided"),
        ([None, True, True], "holds"),
        ([None, False, False], "does not hold"),
        ([None, True], "undecided"),  # half is no majority
        ([None, None, True], "undecided"),
        ([None, None, None, False], "undecided"),  # one failure does not outvote three
        ([None, True, False], "holds in part"),
    ],
)
def test_verdicts(passed: list[bool | None], expected: str) -> None:
    assert verdict([Check("somewhere", "1", each) for each in passed]) == expected


def test_an_entry_has_the_checks_and_the_runs_behind_it() -> None:
    fc, hrr_fc = "bibtex-fc", "bibtex-hrr-fc"
    checks = [Check("a", "1.0", True, (fc, hrr_fc)), Check("b", "0.5", False, (fc,))]
    recorded = evidence(*(cell("bibtex", name, 1.0, 2.0) for name in ("fc", "hrr-fc")))
    (entry,) = ledger([replace(RAIN, judge=lambda _: checks)], recorded)
    assert (entry["verdict"], entry["passed"]) == ("holds in part", "1 of 2")
    assert entry["runs"] == [fc, hrr_fc]
    assert "| holds in part | 1 |" in introduction([entry])
    text = claims_table([entry])
    assert (
        "| HRR | §1 | reproduced figure | It rains | often | **holds in part** | 1 of 2 |" in text
    )
    assert "It does. a: 1.0; b: 0.5 ✗ |" in text


def test_what_is_undecided_is_counted_apart() -> None:
    checks = [Check("a", "+0.1", None), Check("b", "+0.5*", True), Check("c", "+0.6*", True)]
    claim = replace(RAIN, kind=STATEMENT, judge=lambda _: checks)
    (entry,) = ledger([claim], evidence())
    assert (entry["verdict"], entry["passed"]) == ("holds", "2 of 2, 1 undecided")
    assert "a: +0.1 ?; b: +0.5*" in claims_table([entry])
    (entry,) = ledger([replace(claim, judge=lambda _: checks[:1])], evidence())
    assert entry["verdict"] == "undecided"
    assert "| undecided | 1 |" in introduction([entry])


@pytest.mark.parametrize(
    ("passed", "expected"),
    [
        ({"wordnet": True}, "seen on our data"),
        ({"wordnet": True, "animals": False}, "seen on part of our data"),
        ({"wordnet": False}, "not seen on our data"),
        ({"wordnet": None}, "undecided"),
        ({"wordnet": False, "bibtex": True}, "holds"),  # the paper's dataset counts alone
        ({"wordnet": True, "bibtex": False}, "does not hold"),
        ({"wordnet": True, "bibtex": None}, "undecided"),
        ({"": False}, "does not hold"),  # it needs no data
    ],
)
def test_other_data_neither_prove_nor_refute(passed: dict[str, bool | None], expected: str) -> None:
    recorded = evidence(*(cell(dataset, "fc", 1.0, 2.0) for dataset in passed if dataset))
    checks = [
        Check(dataset, "", each, (f"{dataset}-fc",) if dataset else ())
        for dataset, each in passed.items()
    ]
    claim = replace(RAIN, judge=lambda _: checks)
    assert ledger([claim], recorded)[0]["verdict"] == expected
    ours = replace(claim, kind=OURS)  # about our code, and so about any data
    assert ledger([ours], recorded)[0]["verdict"] == verdict(checks)


def test_checks_on_other_data_are_counted_apart() -> None:
    recorded = evidence(cell("wordnet", "fc", 1.0, 2.0), cell("bibtex", "fc", 1.0, 2.0))
    checks = [Check("a", "", True, ("bibtex-fc",)), Check("b", "", False, ("wordnet-fc",))]
    (entry,) = ledger([replace(RAIN, judge=lambda _: checks)], recorded)
    assert entry["passed"] == "1 of 1; on other data 0 of 1"


def test_what_was_not_run_is_not_called_untestable() -> None:
    assert ledger([RAIN], evidence())[0]["verdict"] == NOT_RUN
    assert ledger([replace(RAIN, testable=False)], evidence())[0]["verdict"] == UNTESTED


def test_all_tests_of_a_claim_share_one_level() -> None:
    """A difference that one test shows, and one of twenty does not."""
    gap = paired([61.0, 62.2, 63.1, 60.9], [60.5, 61.0, 62.5, 60.0])
    alone = Check("a", "{0}", gaps=(gap,), rule=lambda gap: gap.shows)
    assert [check.passed for check in judge([alone])] == [True]
    assert judge([alone])[0].figure == gap.short
    many = judge([replace(alone, gaps=(gap,) * 20, rule=lambda *gaps: gaps[0].shows)])
    assert [check.passed for check in many] == [False]


def test_a_single_seed_decides_nothing() -> None:
    def judge(recorded: Evidence) -> list[Check]:
        return [Check(name, "", True) for name in recorded.cells]

    recorded = evidence(cell("bibtex", "one", 1.0), cell("bibtex", "two", 1.0, 2.0))
    (entry,) = ledger([replace(RAIN, judge=judge)], recorded)
    assert [check["where"] for check in entry["ours"]] == ["bibtex-two"]


def test_too_few_seeds_rule_out_nothing() -> None:
    """Gains of about 0.3 by five seeds, by two, and none at all."""
    clear = paired([60.3, 61.2, 59.4, 60.5, 60.1], [60.0, 61.0, 59.0, 60.2, 59.8])
    vague = paired([60.3, 62.0], [60.5, 61.2])
    none = paired([60.3, 61.2, 59.4, 60.5, 60.1], [60.2, 61.3, 59.3, 60.6, 60.2])
    assert [is_better(gap) for gap in (clear, vague, none)] == [True, None, False]
    assert [is_worse(gap) for gap in (clear, vague, none)] == [False, None, False]
    assert [is_not_better(gap) for gap in (clear, vague, none)] == [False, None, True]
    assert is_better(none, published=0.05) is None  # so small a gain may still be there
    assert [is_same(gap) for gap in (clear, vague, none)] == [True, None, True]
    far = [paired(values, [60.0, 60.0, 60.0]) for values in ([62.0, 62.1, 62.2], [60, 64, 59.0])]
    assert [is_same(gap) for gap in far] == [False, None]
    assert [is_not_below(gap) for gap in far] == [True, None]


def test_claims_are_unique_and_stand_alone() -> None:
    assert len({(claim.place, claim.says) for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert claim.kind in KINDS
        assert claim.published
        assert claim.rule or claim.judge is None
        for words in (claim.says, claim.rule):
            assert not LEANING.search(words), words
    papers = [study.PAPERS.index(claim.paper) for claim in CLAIMS]
    assert papers == sorted(papers)


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


def test_without_runs_a_claim_says_what_it_needs() -> None:
    experiments = {
        "retrieval": pd.DataFrame(records.read("experiments", "capacity")["table"]),
        "responses": pd.DataFrame(records.read("experiments", "responses")["table"]),
        "composition": composition.run(),
    }
    no_runs = evidence(**experiments)
    entries = ledger(CLAIMS, no_runs)
    assert {entry["verdict"] for entry in entries} > {UNTESTED, NOT_RUN}
    for entry in entries:
        assert (entry["verdict"] in (UNTESTED, NOT_RUN)) == bool(entry.get("needs"))
    assert not any("glas" in name for name in study.figures(no_runs))
    text = markdown.render(study.make(no_runs))
    assert "## GLaS" not in text
    assert "### 1. “Over 100 times the capacity”" in text  # the only finding that needs no run


def test_a_run_of_no_suite_or_of_cis_is_no_evidence(committed: Evidence) -> None:
    assert "regression" not in committed.suites
    named = {run for runs in committed.suites.values() for run in runs}
    assert set(committed.cells) == named & set(records.names("runs"))


def test_every_section_and_figure_is_on_the_page(committed: Evidence, tmp_path: Path) -> None:
    stale = tmp_path / "figures" / "old.svg"
    stale.parent.mkdir()
    stale.touch()
    command.write(committed, tmp_path)
    text = (tmp_path / "study.md").read_text()
    for module in study.MODULES:
        for section in module.sections(committed):
            assert text.count(f"\n### {section.heading}\n") == 1
    linked = re.findall(r"\]\(figures/(.+?)\.svg\)", text)
    drawn = {path.stem for path in (tmp_path / "figures").iterdir()}
    assert set(linked) == drawn == set(study.figures(committed))
    html = (tmp_path / "study.html").read_text()
    assert html.count('src="data:image/svg+xml,') == len(linked)
    assert len(html.encode()) < 2_000_000
    assert html == (ROOT / "papers/study.html").read_text(), "run `python -m papers`"


def test_the_committed_study_is_what_the_records_give(committed: Evidence) -> None:
    """And its verdicts follow from its own checks."""
    entries = YAML(typ="safe").load(ROOT / "papers/claims.yaml")
    assert entries == ledger(CLAIMS, committed), "run `python -m papers`"
    assert YAML(typ="safe").load(as_yaml(entries)) == entries
    assert (ROOT / "papers/study.md").read_text() == markdown.render(study.make(committed))
    known = {*committed.cells, *(run.name for run in committed.followed)}
    for entry in entries:
        assert entry["verdict"] in VERDICTS
        assert known.issuperset(entry.get("runs", []))


def test_the_readme_shows_the_records(committed: Evidence) -> None:
    for path, blocks in readme.make_blocks(committed).items():
        text = (ROOT / path).read_text()
        assert readme.fill(text, blocks, path) == text, "run `python -m papers.readme`"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().splitlines()) <= 150


def test_no_result_in_the_readme_is_typed() -> None:
    """Outside of the blocks that a script writes there is no figure with a unit."""
    text = (ROOT / "README.md").read_text()
    by_hand = re.sub(r"<!-- (\w+) -->\n.*?<!-- end of \1 -->|```.*?```", "", text, flags=re.DOTALL)
    versions = r"Python \d+\.\d+|WordNet \d\.\d"
    by_hand = re.sub(versions, "", by_hand)
    units = r"points|times|×|%|MB|GB|ms\b|seconds"
    assert re.findall(rf"\d+\.\d+|\d[\d,]*\s*(?:{units})", by_hand) == []


def test_every_claim_and_finding_leads_to_a_section(committed: Evidence) -> None:
    made = study.make(committed)
    sections = [section for module in study.MODULES for section in module.sections(committed)]
    assert {section.name for section in made.sections} == {section.name for section in sections}
    assert set(made.homes) == {claim.says for claim in CLAIMS}
    homes = {claim: section.name for claim, section in made.homes.items()}
    assert homes["HRR-FC improves Bibtex 1.30 to 1.40×"] == "HRR Table 1"
    assert homes["Searching by brute force is faster than by FAISS"] == "Benchmark search"
    assert homes["VTB needs 10 times the memory of HRR to back-propagate"] == "HRR Figure 5"
    assert homes["Squared error to the target of eq. 5 learns nothing"] == "HRR §4 and §5.5"
    for section in made.sections:
        if re.match(r"(Table|Figure) \d", section.place) and section.name != "HRR Table 6":
            assert made.entries_of(section) or section.place in ("Figure 6",), section.name


def test_a_readme_without_its_markers() -> None:
    with pytest.raises(UserError, match="needs `<!-- table1 -->`"):
        readme.fill("nothing", {"table1": "| a |"}, readme.README)
    text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert readme.fill(text, {"x": "new\\1"}, readme.README) == text.replace("old", "new\\1")


def test_rows_of_a_mirror_are_marked_in_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of the registry that have a mirror's checksum, and no set of a similar name."""
    monkeypatch.chdir(ROOT)
    rows = "| bibtex, fc | 1 |\n| wordnet | bibtex |\n| eurlex57k | 2 |\n| eurlex-4k | 3 |"
    assert readme.marked(rows) == (
        "| bibtex †, fc | 1 |\n| wordnet | bibtex |\n| eurlex57k † | 2 |\n| eurlex-4k | 3 |"
        f"\n\n{readme.MIRRORED}"
    )
    assert readme.marked("| wordnet | 1 |") == "| wordnet | 1 |"


def test_each_mirrored_dataset_has_its_publisher_in_the_guide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(ROOT)
    guide = (ROOT / "docs/datasets.md").read_text()
    publishers = guide.split("| dataset | who publishes it |")[1].split("\n\n")[0]
    assert datasets.mirrored()
    assert all(f"`{name}`" in publishers for name in datasets.mirrored())


def test_outside_the_projects_root_the_error_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match="from the project's root"):
        evidence_module.read.__wrapped__()


def test_the_review_has_the_verdicts_of_the_ledger() -> None:
    """In its last table, beside what they were."""
    entries = YAML(typ="safe").load(ROOT / "papers/claims.yaml")
    verdicts = {entry["claim"]: entry["verdict"] for entry in entries}
    table = (ROOT / "docs/review.md").read_text().split("| claim | was | is |")[1]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)[1:]
    assert rows
    for claim, before, now in rows:
        assert verdicts[claim] == now != before
