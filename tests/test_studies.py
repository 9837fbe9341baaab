"""Studies find the runs that differ by what they are about, and say what follows."""

from cells import cell, hrr

from papers.studies import controls, dims, layers, learned, markers, table1
from papers.studies.alike import groups, pairs


def test_alike_but_for_one_value() -> None:
    cells = [
        hrr("bibtex", "a", 1.0, dim=100),
        hrr("bibtex", "b", 1.0, 2.0, dim=200),  # more seeds are no difference
        hrr("bibtex", "c", 1.0, dim=200, loss="mse"),  # another loss is
        hrr("delicious", "d", 1.0, dim=300),  # so is another dataset
        cell("bibtex", "fc", 1.0, settings={"train": {"seeds": 1}, "bce": {}}),
    ]
    found = [{k: c.model for k, c in group.items()} for group in groups(cells, ("hrr", "dim"))]
    assert found == [{(100,): "a", (200,): "b"}, {(200,): "c"}, {(300,): "d"}]
    (pair,) = pairs(cells, "hrr", loss=("paper", "mse"))
    assert [c.model for c in pair] == ["b", "c"]


def test_table1_shows_what_becomes_of_the_margin() -> None:
    cells = [
        cell("bibtex", "fc-published", 46.0, 47.0, 46.5),
        cell("bibtex", "hrr-fc-published", 60.0, 61.2, 60.6),
        cell("bibtex", "fc", 60.0, 61.0, 59.5),
        cell("bibtex", "hrr-fc", 60.2, 60.5, 60.1),
        cell("bibtex", "cnn", 50.0),  # without its HRR-CNN: no row
    ]
    text = table1.markdown({c.name: c for c in cells})
    first = "| bibtex, fc | published | 46.4 | 60.3 | +13.9 | 46.50 ± 0.50 (3) | 60.60 ± 0.60 (3)"
    assert f"{first} | +14.10* |" in text
    assert "| bibtex, fc | tuned | 46.4 | 60.3 | +13.9 | 60.17 ± 0.76 (3)" in text
    assert "published: the paper's figures are met within 1.5 points" in text
    assert "+14.10 ± 0.10 (a difference) in the published setting, and +0.10" in text
    assert "(none that shows) once both are tuned" in text
    assert "cnn" not in text.split("\n\n", 2)[2]
    assert table1.markdown({}) == ""


def test_dims_are_judged_at_a_tenth_of_the_labels() -> None:
    cells = [hrr("bibtex", f"d{d}", 10.0 + d, 10.5 + d, dim=d) for d in (8, 16, 40, 80)]
    cells += [hrr("bibtex", f"pm{d}", 1.0, dim=d, learn_pm=True) for d in (8, 16, 40, 80)]
    cells += [hrr("delicious", "d100", 1.0, dim=100)]  # one is no curve
    (line,) = dims.lines(cells, {"bibtex": 159, "delicious": 983})
    assert list(line.by_dim) == [8, 16, 40, 80]
    assert line.near_share() == 16
    text = dims.markdown([line], "![](f.svg)")
    assert "| bibtex | 16 | 10.1% | 26.25 ± 0.35 (2)" in text
    assert "| -64.00 |" in text
    assert len(dims.draw([line]).axes) == 2
    assert dims.markdown([], "") == ""


def test_layers_are_compared_with_the_usual_network() -> None:
    cells = [
        hrr("bibtex", "a", 50.0, 51.0),
        hrr("bibtex", "b", 52.0, 53.0, layers=3),
        hrr("bibtex", "c", 53.0, 54.1, layers=4),
        hrr("bibtex", "d", 30.0, 30.0, dim=8),  # Figure 2's, not Table 4's
    ]
    text = layers.markdown(cells)
    assert "| bibtex | HRR-FC | 2 × 512 | 400 | 50.50 ± 0.71 (2) | – | 5,000 |" in text
    assert "| bibtex | HRR-FC | 3 × 512 | 400 | 52.50 ± 0.71 (2) | +2.00 |" in text
    assert "| 8 |" not in text
    assert "+2.00" in layers.markdown(cells[:2])
    assert layers.markdown(cells[:1]) == ""  # one shape is no study
    wider = hrr("bibtex", "d", 51.0, 52.0)
    wider.settings["fc"]["hidden"] = 768
    assert layers.markdown([cells[0], wider]) == ""  # nor is Table 1's other width


def test_learned_vectors_and_markers_beside_fixed_ones() -> None:
    cells = [
        hrr("bibtex", "fixed", 50.0, 51.0, dim=100),
        hrr("bibtex", "c", 40.0, 41.0, dim=100, codebook="learned"),
        hrr("bibtex", "pm", 49.0, 51.5, dim=100, learn_pm=True),
        hrr("bibtex", "unprojected", 49.0, 51.5, dim=100, projection=False),
        hrr("bibtex", "both", 3.0, 3.0, dim=100, codebook="learned", projection=False),
    ]
    row = "| bibtex | 100 | 50.50 ± 0.71 (2) | 40.50 ± 0.71 (2) | -10.00"
    text = learned.markdown(cells)
    assert text.count("| bibtex |") == 1  # what is not projected is a column, not a row
    assert row in text
    assert text.endswith("| 3.00 ± 0.00 (2) |")
    assert "| bibtex | 100 | +0.25 | +0.25 | +0.25 | 2 |" in markers.markdown(cells, "")
    assert len(markers.draw(cells).axes) == 3
    assert learned.markdown(cells[:1]) == markers.markdown(cells[:1], "") == ""


def test_controls_change_one_part_at_a_time() -> None:
    cells = [
        hrr("bibtex", "exact", 12.0, 61.0, projection=False, inverse="exact"),
        hrr("bibtex", "usual", 61.0, 62.0),
        hrr("bibtex", "unbound", 61.1, 61.9, binding=False),
        hrr("bibtex", "mse", 5.0, 6.0, loss="mse"),
        hrr("bibtex", "both", 5.0, 6.0, loss="mse", binding=False),
    ]
    text = controls.markdown(cells, {"bibtex": 14.2})
    assert "| bibtex | none | 61.50 ± 0.71 (2) |" in text
    assert "| bibtex | squared error to eq. 5 | 5.50 ± 0.71 (2) |" in text
    assert "| -56.00 |" in text
    assert "| bibtex | guessing | 14.20 |" in text
    assert "| bibtex | no projection: Gaussian vectors, p† of eq. 2 | 36.50 ±" in text
    assert controls.studied(cells, "unprojected") == []  # that has the usual inverse
    assert [pair[1].model for pair in controls.studied(cells, "unbound")] == ["unbound", "both"]
    assert controls.markdown([], {}) == ""
