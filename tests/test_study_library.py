"""What the study says about real collections, and about labels of few training points."""

import pytest
from helpers.project import ROOT

from papers import evidence as evidence_module
from papers import records


def test_metrics_by_frequency_are_read_with_their_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """An older record has none."""
    rated = {"zero": {"labels": [163], "points": [0]}}
    read_all = records.read_all

    def with_groups(kind: str) -> dict[str, records.Record]:
        found = read_all(kind)
        if kind == "runs":
            found["bibtex-fc"]["by_frequency"] = rated
        return found

    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(records, "read_all", with_groups)
    found = evidence_module.read.__wrapped__().by_frequency
    assert found["bibtex-fc"] == rated
    assert "bibtex-hrr-fc" not in found
