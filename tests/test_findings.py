"""What the report says of GLaS and of the text encoders follows from the runs it has."""

from pathlib import Path

import pandas as pd
from cells import cell

from hrrxml.report.results import Followed
from papers import text_findings
from papers.glas import figures, findings


def test_glas_table1_has_the_paper_beside_ours() -> None:
    cells = [
        cell("bibtex", "glas-fc", 61.0, 62.0, 61.5),
        cell("bibtex", "glas-none-fc", 60.0, 61.0, 60.4),
        cell("bibtex", "glas-softmax-fc", 59.0),
        cell("delicious", "glas-fc", 70.0),
        cell("delicious", "holographic-narrow-fc", 65.0, 66.0),
        cell("delicious", "grouped-fc", 64.0, 66.5),
    ]
    text = findings.markdown(cells, [], {})
    assert "| regulariser | none | 92.34 | 60.47 ± 0.50 (3) | – |" in text
    assert "| regulariser | GLaS | 94.21 | 61.50 ± 0.50 (3) | 70.00 (1) |" in text
    assert "| loss | softmax | – | 59.00 (1) | – |" in text  # what was not run has no figure
    assert "- bibtex, glas-fc less glas-none-fc: P@1 +1.03 ± 0.06 (a difference)" in text
    assert "- delicious, grouped-fc less holographic-narrow-fc: P@1 -0.25" in text
    assert "Table 2" not in text
    assert findings.markdown([], [], {}) == ""


def test_glas_beside_the_best_of_the_other_tools() -> None:
    cells = [cell("bibtex", "glas-fc", 60.0, 61.0), cell("wordnet", "glas-fc", 65.0)]
    tools = {"plt": cell("", "", 62.0), "br": cell("", "", 63.0, 64.0)}
    peers = {"bibtex": {name: {"metrics": found.metrics} for name, found in tools.items()}}
    text = findings.markdown(cells, [], peers)
    ours, best = "60.50 / 60.50 / 60.50", "63.50 / 63.50 / 63.50"
    assert f"| bibtex | {ours} | {best} | {ours} | {best} |" in text
    assert (
        "| wikipedia-500k, paper | 69.91 / 49.08 / 38.35 | 70.20 / 50.60 / 39.70 | – | – |" in text
    )
    assert "| wordnet |" not in text.split("beside other methods")[1]  # no other tool was run there


def test_glas_table2_is_the_last_epoch(tmp_path: Path) -> None:
    curve = pd.DataFrame(
        {
            "epoch": [1, 2, 1, 2],
            "train": [50, 90, 52, 92],
            "test": [40, 60, 44, 62],
            "seed": [0, 0, 1, 1],
        }
    )
    followed = [
        Followed("wordnet-11k", "glas-none", curve),
        Followed("bibtex", "glas-glas", curve),
    ]
    text = findings.markdown([], followed, {})
    assert "| amazoncat-13k, paper | none | 99.23 | 92.34 | 6.89 |" in text
    assert "| wordnet-11k | none | 91.00 ± 1.41 (2) | 61.00 ± 1.41 (2) | 30.00 ± 0.00 (2) |" in text
    assert [axis.get_title() for axis in figures.overfitting(followed).axes] == [
        "wordnet-11k",
        "bibtex",
    ]
    figures.draw([], tmp_path / "none.svg")
    assert list(tmp_path.iterdir()) == []


def test_text_encoders_are_judged_by_their_best_head() -> None:
    cells = [
        cell("stackexchange", "cnn", 50.0),
        cell("stackexchange", "hrr-cnn", 58.0),
        cell("stackexchange", "lstm", 40.0),
    ]
    peers = {"stackexchange": {"plt": {"metrics": cell("", "", 62.0).metrics}}}
    datasets = {"stackexchange": {"commonest_labels": [["encryption", 4]], "points": [100, 40]}}
    text = text_findings.markdown(cells, peers, datasets)
    assert "- cnn: best with `hrr-cnn`, P@1 58.00: 14 times the commonest label's share" in text
    assert "within 5 points of PLT (PLT less ours: +4.00)" in text
    assert "- lstm: best with `lstm`, P@1 40.00: 10 times" in text
    assert "not within 5 points of PLT (PLT less ours: +22.00)" in text
    peers["stackexchange"]["plt"]["metrics"] = cell("", "", 55.0).metrics
    assert "above PLT (PLT less ours: -3.00)" in text_findings.markdown(cells, peers, datasets)
    assert text_findings.markdown([], peers, datasets) == ""
