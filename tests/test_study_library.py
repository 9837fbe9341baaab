"""What the study says about real collections, and about many labels with a small d'."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from helpers.cells import cell, hrr
from helpers.evidence import evidence, shown, tools

from hrrxml.report.results import Cell
from papers import collapse, library, markdown, study
from papers.claim import ELSEWHERE, FAILS, HOLDS, NOT_RUN, SEEN, UNDECIDED, ledger
from papers.evidence import Evidence

LOC = {"labels": 108_733, "points": [172_856, 43_144]}
PARABEL, PLT = 40.0, 38.0


def of_loc(*cells: Cell, **recorded: Any) -> Evidence:
    """Suite `library` on `loc`, where each other tool was trained once."""
    peers = {"loc": tools(parabel=cell("", "", PARABEL), plt=cell("", "", PLT))}
    return evidence(*cells, suite="library", datasets={"loc": LOC}, peers=peers, **recorded)


def hrr_fc(dim: int, *values: float) -> Cell:
    changed = {"dim": dim, "codebook": "circulant", "learning_rate": 0.0015}
    return hrr("loc", "hrr-fc" if dim == 1000 else f"hrr-fc-{dim}", *values, **changed)


def exact(*values: float) -> Cell:
    head = {"dim": 500, "learning_rate": 0.002}
    settings = {"fc": {"layers": 2, "hidden": 512}, "holographic": head}
    return cell("loc", "holographic-fc-500-plain", *values, settings=settings)


def with_points(made: Cell, hits: list[bool]) -> Cell:
    """Recorded with its outcomes: only the first label of these test points is right."""
    packed = np.array([hits], dtype=np.uint8)
    return replace(made, outcomes={"hits": packed, "first_gain": packed.astype(np.float16)})


def verdicts(known: Evidence) -> list[str]:
    return [entry["verdict"] for entry in ledger(collapse.CLAIMS, known)]


def test_nothing_is_shown_of_what_was_not_recorded() -> None:
    for module in (library, collapse):
        assert shown(module, evidence()) == ""
    assert verdicts(evidence()) == [NOT_RUN] * 3


def test_models_and_tools_stand_beside_each_other() -> None:
    medline = [cell("medline", "fc", 60.0, 61.0), cell("medline", "hrr-fc", 58.0, 59.5)]
    known = of_loc(hrr_fc(1000, 30.0), *medline)
    text = shown(library, known)
    assert text.startswith("### Library: real collections")
    assert "| model | P@1 | P@3 | P@5 | PSP@1 | PSP@3 | PSP@5 | seeds | output parameters |" in text
    loc, rest = text.split("#### medline")
    assert f"| hrr-fc |{' 30.00 |' * 6} 1 | 1,000 |" in loc
    assert f"| parabel |{' 40.00 |' * 6} 1 | – |" in loc
    assert "its output layer would have 55.7 million weights, and each training point" in loc
    assert "In its place: PLT and Parabel." in loc
    assert "FC was not run" not in rest
    assert "| medline | hrr-fc | fc | -1.75° |" in rest
    assert "#### tibkat, from a mirror" in shown(library, of_loc(cell("tibkat", "fc", 50.0)))
    assert "| loc | hrr-fc | best tool (parabel, parabel and parabel) | -10.00 |" in rest


def test_one_seed_has_a_range_over_test_points_and_no_star() -> None:
    recipe, linear = (
        cell("loc", f"holographic-{name}", p1) for name, p1 in (("fc", 75), ("none", 25))
    )
    points = 10_000
    right = [place % 4 < 3 for place in range(points)]
    recipe = with_points(recipe, right)
    linear = with_points(linear, [not each for each in right])
    text = shown(library, of_loc(recipe, linear))
    # Gaps of +100 and −100 have a deviation of 86.6, and their mean an error of 0.866.
    assert "| loc | holographic-fc | holographic-none | +50.00 [+48.30, +51.70] |" in text
    plain = shown(library, of_loc(replace(recipe, outcomes=None), linear))
    assert "| loc | holographic-fc | holographic-none | +50.00 | +50.00 | +50.00 |" in plain


def test_amazon_670k_stands_beside_the_library_of_congress() -> None:
    known = of_loc(*(hrr_fc(dim, 20.0 + dim / 100) for dim in (1000, 250, 500, 2000)), exact(38.0))
    text = shown(collapse, known)
    header = (
        "| dataset | model | d' | d' / L | P@1 | to FC | to Parabel | to PLT | to the exact loss |"
    )
    assert header in text
    assert "| amazon-670k, paper | HRR-FC | 3,000 | 0.45% | 19.9 | -42% | -56% | – | – |" in text
    assert "| loc | HRR-FC | 500 | 0.46% | 25.00 (1) | – | -38% | -34% | -34% |" in text
    assert "| loc | HRR-FC | 2,000 | 1.84% | 40.00 (1) | – | +0% | +5% | – |" in text
    assert "| loc | the exact loss | 500 | 0.46% | 38.00 (1) | – | -5% | +0% | – |" in text
    assert "at least half of what HRR-FC loses to Parabel on Amazon-670K: 28%" in text
    assert (
        "With d' = 500, HRR-FC is far below, and the exact loss in the same network is not" in text
    )
    assert "The exact loss less HRR's: +13.00 points" in text
    assert "learning rates of 0.002 and 0.0015. **One seed**: no test over seeds exists" in text
    assert "HRR-FC is far below" in shown(collapse, of_loc(hrr_fc(500, 28.8), exact(38.0)))
    assert "HRR-FC is not far below" in shown(collapse, of_loc(hrr_fc(500, 29.0), exact(38.0)))
    missing = shown(collapse, of_loc(hrr_fc(500, 25.0)))
    assert "| loc | HRR-FC | 500 |" in missing
    assert "far below, and" not in missing


def test_one_seed_decides_nothing_about_the_collapse() -> None:
    known = of_loc(hrr_fc(500, 20.0), exact(39.0))
    entries = ledger(collapse.CLAIMS, known)
    assert [entry["verdict"] for entry in entries] == [NOT_RUN] * 3
    assert all("one seed decides nothing" in entry["needs"] for entry in entries)


@pytest.mark.parametrize(
    ("hrr_p1", "exact_p1", "expected"),
    [
        ([20.0, 20.2, 20.1], [39.0, 39.2, 39.1], [SEEN, HOLDS, HOLDS]),
        ([36.0, 36.2, 36.1], [36.1, 36.2, 36.0], [ELSEWHERE, HOLDS, FAILS]),
        ([20.0, 20.2, 20.1], [20.1, 20.1, 20.2], [SEEN, FAILS, FAILS]),
        ([25.0, 32.0, 29.0], [25.1, 32.0, 29.0], [UNDECIDED, UNDECIDED, FAILS]),
    ],
)
def test_the_collapse_is_judged_by_half_of_the_printed_loss(
    hrr_p1: list[float], exact_p1: list[float], expected: list[str]
) -> None:
    """Parabel's P@1 is 40, and far below it begins at 28.9."""
    known = of_loc(hrr_fc(500, *hrr_p1), exact(*exact_p1))
    assert verdicts(known) == expected


def test_every_new_section_and_claim_has_its_place(committed: Evidence) -> None:
    new = [replace(each, curve=pd.DataFrame()) for each in (hrr_fc(500, 25.0), exact(38.0))]
    cells = {each.name: each for each in new}
    known = replace(
        committed,
        cells=dict(committed.cells) | cells,
        suites=dict(committed.suites) | {"library": list(cells)},
        datasets=dict(committed.datasets) | {"loc": LOC},
    )
    made = study.make(known)
    assert {made.homes[claim.says].name for claim in collapse.CLAIMS} == {"Collapse"}
    text = markdown.render(made)
    assert text.index("### Library") < text.index("### Collapse") < text.index("### Text encoders")
