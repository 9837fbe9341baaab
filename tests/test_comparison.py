"""What the comparison says follows from the numbers."""

import pandas as pd
import pytest

from hrrxml import comparison
from hrrxml.results import Cell

NAMES = [f"{m}@{k}" for m in ("P", "PSP") for k in range(1, 6)]


def cell(model: str, *values: float, ensemble: float | None = None) -> Cell:
    return Cell(
        dataset="bibtex",
        model=model,
        metrics={name: list(values) for name in NAMES},
        ensemble=None if ensemble is None else {name: [ensemble] for name in NAMES},
        parameters={"output": 1000, "network": 5000},
        curve=pd.DataFrame(),
    )


def peer(value: float) -> dict[str, dict[str, list[float]]]:
    return {"metrics": {name: [value] for name in NAMES}}


def test_gaps_to_the_best_peer_and_to_the_rival() -> None:
    cells = [cell("fc-shortcut-x5", 60.0, 62.0), cell("holographic-fc-x5", 63, 65, ensemble=66.5)]
    text = comparison.markdown(cells, {"bibtex": {"plt": peer(64.5), "br": peer(63.0)}})
    assert "| holographic-fc | 64.00 ± 1.41 |" in text
    assert "| three holographic-fc | 66.50 |" in text
    assert "- holographic-fc less the best peer: P@1 -0.50 (plt), P@5 -0.50 (plt)" in text
    assert "- three holographic-fc less the best peer: P@1 +2.00 (plt)" in text
    assert "- holographic-fc less fc-shortcut: P@1 +3.00, P@5 +3.00, PSP@1 +3.00." in text


def test_the_headline_has_means_and_the_best_peer() -> None:
    cells = [cell("fc-x5", 60.0, 62.0), cell("holographic-fc-x5", 63, 65, ensemble=66.5)]
    text = comparison.headline(cells, {"bibtex": {"plt": peer(64.5), "br": peer(63.0)}})
    row = "| bibtex | 61.0 / 61.0 / 61.0 | – | – | 64.0 / 64.0 / 64.0 | 66.5 / 66.5 / 66.5 |"
    assert f"{row} 64.5 / 64.5 / 64.5 (plt) |" in text


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ([61.0, 62.0, 63.0], [60.0, 61.1, 61.9], "+1.00 ± 0.10 (a difference)"),
        ([61.0, 60.0, 63.0], [60.0, 63.0, 60.0], "+0.33 ± 3.06 (none that shows)"),
        ([61.0], [60.0], "+1.00 (one seed)"),
    ],
)
def test_a_difference_is_one_only_if_the_seeds_agree(
    ours: list[float], theirs: list[float], expected: str
) -> None:
    assert comparison.paired(ours, theirs) == expected


def test_codebooks_are_compared_seed_by_seed() -> None:
    text = comparison.markdown([cell("hrr-fc", 61.0, 62.0), cell("random-hrr-fc", 60.0, 61.0)], {})
    assert "- Circulant less random codes, HRR-FC: P@1 +1.00 ± 0.00 (a difference)" in text
