"""What is said about a suite is what the runs' files say, and nothing else."""

import json
from functools import partial
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from helpers.cells import NAMES
from helpers.results import CURVE, RUNS, write

from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.report import figures, meaning, results, table
from hrrxml.report.drawing import save
from hrrxml.report.markdown import flat_table
from hrrxml.report.results import Followed
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError

FACTS = {"labels": 159, "points": [100, 50], "commonest_labels": [["physics", 15]]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three runs on disk, and the remains of another that params.yaml no longer names."""
    monkeypatch.chdir(tmp_path)
    write(bce=[60.0], hrr=[65.0], glas=[60.5])
    files.write_json(paths.metrics("bibtex-gone"), {"metrics": {"P@1": [99.0]}})
    return tmp_path


def test_dvc_compares_p1_of_the_named_runs() -> None:
    cells = results.read(RUNS)
    assert results.headline(cells) == {"P@1": {"fc": 60.0, "hrr-fc": 65.0, "glas-fc": 60.5}}
    summary = results.summarise(cells)
    assert set(summary) == set(NAMES)
    assert summary["P@1"] == {"bibtex-fc": 60.0, "bibtex-hrr-fc": 65.0, "bibtex-glas-fc": 60.5}


def test_names_have_their_dataset_where_there_are_several() -> None:
    cells = results.read(RUNS)
    other = Run(dataset="delicious", encoder="fc", head="bce")
    for path in (paths.metrics, paths.curve):
        path("bibtex-fc").rename(path("delicious-fc"))
    cells = results.read({"delicious-fc": other} | {"bibtex-hrr-fc": RUNS["bibtex-hrr-fc"]})
    assert set(results.headline(cells)["P@1"]) == {"delicious-fc", "bibtex-hrr-fc"}


def test_several_seeds_are_averaged() -> None:
    write(bce=[1.0, 2.0, 4.5])
    other = CURVE.replace(",0\n", ",1\n").replace("45.0", "55.0").split("\n", 1)[1]
    files.write_text(paths.curve("bibtex-fc"), CURVE + other)
    cells = results.read(RUNS)
    assert results.headline(cells)["P@1"]["fc"] == 2.5
    row = table.rows(cells, {})[0].cells
    assert (row["P@1"], row["seeds"], row["best epoch"]) == ("2.50 ± 1.80", "3", "2–3")
    assert cells[0].seconds == pytest.approx(2 * 4.8 / 3)  # of six epochs, for three seeds


def test_the_table_has_every_run_then_the_other_tools() -> None:
    tools = {"br": {"metrics": {name: [63.74, 63.7] for name in NAMES}, "seconds": [1499, 1501]}}
    rows = table.rows(results.read(RUNS), tools)
    assert [row.name for row in rows] == ["fc", "hrr-fc", "glas-fc", "br"]
    assert dict(rows[0].cells) == {
        "P@1": "60.00", "P@3": "58.00", "P@5": "56.00", "PSP@1": "55.00", "PSP@3": "53.00",
        "PSP@5": "51.00", "nDCG@5": "46.00", "PSnDCG@5": "41.00", "output weights": "81.6 k",
        "seconds": "5", "seeds": "1", "best epoch": "2", "s / epoch": "1.6",
        "weights in output": "81,567", "in all": "1,000,000",
    }  # fmt: skip
    assert (rows[3].cells["P@1"], rows[3].cells["seconds"]) == ("63.72 ± 0.03", "1,500")
    assert rows[3].cells["output weights"] == "–"
    assert [("P@1" in row.best, "P@5" in row.best) for row in rows] == [
        (False, False), (True, False), (False, False), (False, True),
    ]  # fmt: skip


def test_the_meaning_is_read_off_the_numbers() -> None:
    scale, best, hrr, glas = meaning.sentences(results.read(RUNS), RUNS, FACTS)
    assert "P@1 of 65.00 means that the first of 159 labels is right for 65 of 100" in scale
    assert "Always answering “physics” would be right for 15." in scale
    assert best == (
        "The best model is hrr-fc by P@1 (65.00), hrr-fc by P@5 (61.00), hrr-fc by PSP@1 (60.00)."
    )
    assert hrr == (
        "hrr-fc has 11% of fc's output weights: "
        "P@1 5.00 higher, P@5 5.00 higher, PSP@1 5.00 higher."
    )
    assert glas == (
        "glas-fc has 2 times fc's output weights: "
        "P@1 level (+0.50), P@5 level (+0.50), PSP@1 level (+0.50)."
    )


def test_the_meaning_turns_with_the_numbers() -> None:
    write(bce=[65.0], hrr=[60.0], glas=[64.5])
    _, best, hrr, glas = meaning.sentences(results.read(RUNS), RUNS, FACTS)
    assert "fc by P@1 (65.00; glas-fc is level)" in best
    assert "P@1 5.00 lower" in hrr
    assert "P@1 level (-0.50)" in glas


def test_only_the_best_run_of_a_head_is_compared() -> None:
    more = {name: run for name, run in RUNS.items() if run.head != "glas"}
    worse = Run(dataset="bibtex", encoder="fc", head="hrr")
    write(bce=[60.0], hrr=[65.0], glas=[50.0])
    sentences = meaning.sentences(results.read(RUNS), more | {"bibtex-glas-fc": worse}, FACTS)
    assert len(sentences) == 3
    assert sentences[2].startswith("hrr-fc has")


def test_a_model_without_a_baseline_is_compared_with_none() -> None:
    alone = {"bibtex-hrr-fc": RUNS["bibtex-hrr-fc"]}
    assert len(meaning.sentences(results.read(alone), alone, FACTS)) == 2


def test_a_benchmark_is_a_table_of_all_its_numbers() -> None:
    text = flat_table({"seconds": [0.5, {"best": 2}]})
    assert "| seconds.0 | 0.5 |" in text
    assert "| seconds.1.best | 2 |" in text


def test_a_run_that_has_not_been_evaluated_is_named_with_its_stage() -> None:
    paths.curve("bibtex-hrr-fc").unlink()
    with pytest.raises(UserError, match=r"bibtex-hrr-fc\.csv: missing"):
        results.read(RUNS)
    paths.metrics("bibtex-fc").unlink()
    with pytest.raises(UserError, match="`dvc repro evaluate@bibtex-fc` makes it"):
        results.read(RUNS)


def test_a_followed_run_has_a_gap_for_each_seed() -> None:
    rows = [(1, 50.0, 49.0, 0), (2, 90.0, 60.0, 0), (1, 40.0, 39.0, 1), (2, 80.0, 55.0, 1)]
    curve = pd.DataFrame(rows, columns=["epoch", "train", "test", "seed"])
    assert Followed("bibtex", "glas-none", curve).gaps == [30.0, 25.0]


def test_figures_are_the_same_bytes_each_time_however_long_training_took(folder: Path) -> None:
    cells = results.read(RUNS)
    for name in RUNS:
        files.write_text(paths.curve(name), CURVE.replace("1.7", "170"))
    slower = results.read(RUNS)
    for draw in figures.OF_RUNS.values():
        for file, measured in (("1.svg", cells), ("2.svg", slower)):
            save(partial(draw, measured), folder / file)
        drawn = (folder / "1.svg").read_text()
        assert drawn == (folder / "2.svg").read_text()
        assert drawn.count("<path") > 10


def test_names_of_points_do_not_overlap() -> None:
    write(bce=[60.0], hrr=[60.01], glas=[60.02])
    for name in RUNS:
        outcome = json.loads(paths.metrics(name).read_text())
        files.write_json(paths.metrics(name), outcome | {"parameters": {"output": 9, "network": 9}})
    axis = figures.accuracy_by_output_size(results.read(RUNS)).axes[0]
    low, high = axis.get_ylim()
    heights = sorted(text.xy[1] for text in axis.texts)  # type: ignore[attr-defined]
    gaps = [(b - a) / (high - low) for a, b in pairwise(heights)]
    assert min(gaps) >= figures.NAME_HEIGHT * 0.999
