"""What the study says about labels of many, few and no training points."""

import pytest
from helpers.cells import cell
from helpers.evidence import evidence, shown
from helpers.project import ROOT

from papers import evidence as evidence_module
from papers import frequency, records


def test_nothing_is_shown_of_what_was_not_rated() -> None:
    assert shown(frequency, evidence(cell("eurlex57k", "fc", 80.0))) == ""


def rated(**metrics: float) -> dict[str, list[float]]:
    """A group's metrics of two seeds, half a point apart."""
    sizes = {"labels": [3, 3], "points": [7, 7]}
    return sizes | {name.replace("_", "@"): [p1, p1 + 0.5] for name, p1 in metrics.items()}


def test_groups_of_labels_stand_beside_published_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    whole = rated(R_5=60.0, RP_5=70.0, nDCG_5=73.0, F1=65.0)
    groups = {"all": whole, "few": rated(R_5=40.0, RP_5=41.0, nDCG_5=42.0, F1=30.0)}
    groups["zero"] = {"labels": [163, 163], "points": [0, 0]}
    made = [cell("eurlex57k", "fc", 80.0, 81.0), cell("eurlex57k", "hrr-fc", 70.0, 71.0)]
    text = shown(frequency, evidence(*made, by_frequency={"eurlex57k-fc": groups}))
    assert text.startswith("### Rare labels")
    assert "Frequent labels have more than 50 training points, few ones 1 to 50" in text
    ours = "| all: 3 labels of 7 points | fc | 60.25 ± 0.35 | 70.25 ± 0.35 | 73.25 ± 0.35 |"
    assert ours in text
    assert "| all | BERT-BASE, Chalkidis et al. (2019) | – | 79.6 | 82.3 | 73.2 | – |" in text
    assert "| few: 3 labels of 7 points | fc | 40.25 ± 0.35 |" in text
    assert "| zero: 163 labels of 0 points | fc | – | – | – | – | 2 |" in text
    assert "hrr-fc" not in text  # its record has no groups
    assert text.count("BERT-BASE,") == 1


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
