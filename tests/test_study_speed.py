"""What the study says about speed and memory."""

from pathlib import Path
from typing import Any

import pytest
from helpers.evidence import evidence, shown

from hrrxml.report.drawing import save
from papers import records
from papers.claim import FAILS, HOLDS, IN_PART, NOT_RUN, ledger
from papers.evidence import Evidence
from papers.hrr import speed
from papers.hrr.speed import algebra, seeded

# What was not recorded yet, by the benchmark's name.
MADE_UP: dict[str, Any] = {
    "algebra": {
        "grid": [
            dict.fromkeys([key.split(": ")[1] for key in algebra.TABLE.columns.split(" | ")], 2.0)
            | {"dim": dim, "blocks_round_over_hrr": 1.5, "vtb_round_over_hrr": 0.5}
            | {"exact_over_pseudo": dim / 500, "exact_over_pseudo_unbind": 1.0}
            | {"threads": 2, "repeats": 30, "pairs": 8}
            for dim in (256, 1024)
        ]
    },
    "seeded": {
        "grid": [
            {"labels": labels, "dim": 400, "queries": 64, "stored_ms": 2.0, "seeded_ms": 30.0}
            | {"stored_bytes": 6_400_000, "seeded_bytes": 1_600_000, "seeded_over_stored": 15.0}
            | {"same_vectors": True, "same_labels": same, "threads": 2, "repeats": 5}
            for labels, same in ((4000, True), (31_000, False))
        ]
    },
}


@pytest.fixture
def recorded() -> Evidence:
    measured = {name: r["measured"] for name, r in records.read_all("benchmarks").items()}
    return evidence(benchmarks=MADE_UP | measured)


def only(recorded: Evidence, name: str) -> Evidence:
    return evidence(benchmarks={name: recorded.benchmarks[name]})


def verdicts(given: Evidence) -> dict[str, Any]:
    return {entry["claim"]: entry["verdict"] for entry in ledger(speed.CLAIMS, given)}


def test_nothing_is_said_without_a_benchmark() -> None:
    assert shown(speed, evidence()) == ""
    assert speed.figures(evidence()) == {}
    counted = "All larger HRR-FCs of Table 4 have fewer parameters than the initial baseline"
    judged = verdicts(evidence())
    assert judged.pop(counted) != NOT_RUN  # from the paper's tables alone
    assert set(judged.values()) == {NOT_RUN}


def test_the_section_has_what_was_measured_and_no_more(recorded: Evidence) -> None:
    sizes, step = (shown(speed, only(recorded, name)) for name in ("sizes", "step"))
    assert "| amazon-670k | 3,000 | 99.55 | 99.55 | 82.74 | 42.09 |" in sizes
    assert "contradict Table 6 on wiki10-31k, delicious-200k, amazon-670k: its" in sizes
    assert "Table 3" not in sizes
    assert "Medians of 30 on 2 threads." in step
    assert "| 0.39× |" in step  # Table 3's figure


def test_every_column_is_measured(recorded: Evidence) -> None:
    """No cell is empty in all rows, which a misspelt key would cause."""
    for module in speed.MODULES:
        rows = module.TABLE.rows(recorded).values()
        for column in module.TABLE.columns.split(" | "):
            title, key = column.split(": ")
            assert any(row.get(key) is not None for row in rows), (module.__name__, title)


def test_figures_are_drawn_and_shown(recorded: Evidence, tmp_path: Path) -> None:
    figures = speed.figures(recorded)
    assert len(figures) == 4
    for name, draw in figures.items():
        save(draw, tmp_path / f"{name}.svg")
        assert f"](figures/{name}.svg)" in shown(speed, recorded)


def test_verdicts_follow_from_the_records(recorded: Evidence) -> None:
    judged = verdicts(recorded)
    assert judged["The output layer shrinks by up to 99.55%"] == HOLDS
    assert judged["The whole network shrinks by up to 42.09%"] == IN_PART
    assert NOT_RUN not in judged.values()
    assert judged["Searching by brute force is faster than by FAISS"] == IN_PART


def test_algebras_are_judged_by_ratios_within_one_run() -> None:
    known = evidence(benchmarks=MADE_UP)
    text = shown(algebra, known)
    assert text.startswith("### HRR appendix D: what binding costs")
    assert "Medians of 30 on 2 threads." in text
    checks = {
        entry["claim"]: [check["passed"] for check in entry["ours"]]
        for entry in ledger((*algebra.CLAIMS, *seeded.CLAIMS), known)
    }
    assert list(checks.values()) == [
        [True, False, True, False],
        [False, True],
        [True, False],
        [False, False],
    ]
    slow = {"grid": [row | {"blocks_round_over_hrr": 0.9} for row in MADE_UP["algebra"]["grid"]]}
    (entry, _) = ledger(algebra.CLAIMS, evidence(benchmarks={"algebra": slow}))
    assert entry["verdict"] == FAILS
    assert "1.6 MB at a time instead of 6.4 MB" in str(ledger(seeded.CLAIMS, known))
