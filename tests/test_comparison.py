"""What the comparison says follows from the numbers."""

from cells import NAMES, cell

from papers import comparison


def peer(value: float) -> dict[str, dict[str, list[float]]]:
    return {"metrics": {name: [value] for name in NAMES}}


def test_gaps_to_the_best_peer_and_to_the_rival() -> None:
    cells = [
        cell("bibtex", "fc-shortcut", 60.0, 62.0),
        cell("bibtex", "holographic-fc", 63, 65, ensemble=66.5),
    ]
    text = comparison.markdown(cells, {"bibtex": {"plt": peer(64.5), "br": peer(63.0)}})
    assert "| holographic-fc | 64.00 ± 1.41 |" in text
    assert "| three holographic-fc | 66.50 |" in text
    assert "- holographic-fc less the best peer: P@1 -0.50 (plt), P@5 -0.50 (plt)" in text
    assert "- three holographic-fc less the best peer: P@1 +2.00 (plt)" in text
    assert "- holographic-fc less fc-shortcut: P@1 +3.00, P@5 +3.00, PSP@1 +3.00." in text


def test_the_headline_has_means_and_the_best_peer() -> None:
    cells = [
        cell("bibtex", "fc", 60.0, 62.0),
        cell("bibtex", "holographic-fc", 63, 65, ensemble=66.5),
    ]
    text = comparison.headline(cells, {"bibtex": {"plt": peer(64.5), "br": peer(63.0)}})
    row = "| bibtex | 61.0 / 61.0 / 61.0 | – | – | 64.0 / 64.0 / 64.0 | 66.5 / 66.5 / 66.5 |"
    assert f"{row} 64.5 / 64.5 / 64.5 (plt) |" in text


def test_codebooks_are_compared_seed_by_seed() -> None:
    text = comparison.markdown(
        [
            cell("bibtex", "hrr-fc", 61.0, 62.0, 63.0),
            cell("bibtex", "random-hrr-fc", 60.0, 61.0, 62.0),
        ],
        {},
    )
    assert "- Circulant less random codes, HRR-FC: P@1 +1.00 ± 0.00 (a difference)" in text
