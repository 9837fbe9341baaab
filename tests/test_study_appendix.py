"""What the study says about the HRR paper's appendices C, F and H."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from helpers.cells import cell
from helpers.evidence import evidence, shown
from hypothesis import given
from hypothesis import strategies as st

from papers.claim import NOT_RUN, Claim, ledger
from papers.evidence import Evidence
from papers.hrr import listing, normaliser, threshold

NOTHING = evidence()


def judged(claims: tuple[Claim, ...], known: Evidence) -> list[bool | None]:
    (entry,) = ledger(claims, known)
    return [check["passed"] for check in entry.get("ours", [])]


def test_lines_are_statements_without_comments() -> None:
    code = """
def bind(x, y):
    '''A docstring.'''
    # A comment.
    return (x
            * y)  # over two lines

def inverse(x):
    return x

def project(x):
    return x

def unrelated(x):
    return x

class HRR:
    '''A docstring.'''
    def loss(self):
        '''A docstring.'''
        a = 1
        return a
"""
    assert listing.count(code) == {"bind": 2, "inverse": 2, "project": 2, "HRR": 4}


def test_a_longer_example_fails_the_claim(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    assert judged(listing.CLAIMS, NOTHING) == [True]
    longer = tmp_path / "longer.py"
    code = listing.EXAMPLE.read_text()
    monkeypatch.setattr(listing, "EXAMPLE", longer)
    longer.write_text(
        code.replace("    return irfft(rfft(x)", "    x = x + 0\n    return irfft(rfft(x)")
    )
    assert judged(listing.CLAIMS, NOTHING) == [False]
    assert "| together | 23 |" in shown(listing, NOTHING)


@given(labels=st.integers(1, 10), weight=st.floats(1, 100))
def test_only_the_usual_normaliser_gives_a_perfect_ranking_one(labels: int, weight: float) -> None:
    printed, usual = normaliser.of_perfect(labels, weight)
    assert usual == pytest.approx(1)
    gains = [1 / np.log(rank + 1) for rank in range(1, 6)]
    assert printed == pytest.approx(weight * sum(gains[:labels]) / sum(gains))


def test_eq_15_is_not_normalised() -> None:
    assert judged(normaliser.CLAIMS, NOTHING) == [True, False, False, False]
    assert "| 2 | 10 | 5.53 | 1.00 |" in shown(normaliser, NOTHING)


def test_the_threshold_is_judged_by_precision_and_recall() -> None:
    assert shown(threshold, NOTHING) == ""
    (entry,) = ledger(threshold.CLAIMS, NOTHING)
    assert entry["verdict"] == NOT_RUN
    at = {"precision": [80.0, 82.0], "recall": [60.0, 44.0], "per_point": [1.5, 1.4]}
    names = (("hrr-fc", {}), ("hrr-fc-paper", {"recall": [50.0, 40.0]}), ("hrr-fc-mse", {}))
    cells = [
        replace(cell("bibtex", name, 1.0, 2.0), at_threshold=at | changed | {"threshold": 0.5})
        for name, changed in names
    ]
    cells += [cell("bibtex", name, 1.0, 2.0) for name in ("fc", "fc-paper")]
    known = evidence(*cells, datasets={"bibtex": {}})
    assert judged(threshold.CLAIMS, known) == [False, True]
    text = shown(threshold, known)
    assert "| bibtex-hrr-fc | 81.00 ± 1.41 (2) | 52.00 ± 11.31 (2) | 1.45 ± 0.07 (2) | – |" in text
    assert "bibtex-fc" not in text
    assert "mse" not in text  # a control
