"""The report of a run says what the runs' files say, and nothing else."""

import json
from functools import partial
from pathlib import Path

import pandas as pd
import pytest

from hrrxml.config import paths
from hrrxml.config.schema import Run
from hrrxml.report import figures, results
from hrrxml.report import run as report
from hrrxml.report.drawing import save
from hrrxml.report.results import Followed
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError

NAMES = [f"{m}@{k}" for m in ("P", "PSP", "nDCG", "PSnDCG") for k in range(1, 6)]
CURVE = """epoch,train_loss,validation_p1,seconds,seed
1,2.0,40.0,1.5,0
2,1.0,50.0,1.7,0
3,0.9,45.0,1.6,0
"""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Run]:
    """Two runs on disk, and the remains of a third that params.yaml no longer names."""
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(["bibtex-fc", "bibtex-hrr-fc", "bibtex-gone"]):
        metrics = {metric: [10.0 * number + place + 1] for place, metric in enumerate(NAMES)}
        outcome = {"metrics": metrics, "parameters": {"output": 1234567, "network": 9}}
        outcome |= {"settings": {"train": {"seeds": 1}}}
        files.write_json(paths.metrics(name), outcome)
        files.write_text(paths.curve(name), CURVE)
    return {
        "bibtex-fc": Run(dataset="bibtex", encoder="fc", head="bce"),
        "bibtex-hrr-fc": Run(dataset="bibtex", encoder="fc", head="hrr"),
    }


def test_the_summary_has_the_named_runs_alone(runs: dict[str, Run]) -> None:
    summary = results.summarise(results.read(runs))
    assert set(summary) == {"bibtex"}
    assert set(summary["bibtex"]) == {"fc", "hrr-fc"}
    assert summary["bibtex"]["hrr-fc"]["P@1"] == {"mean": 11.0, "std": 0.0, "n": 1}


def test_several_seeds_are_averaged(runs: dict[str, Run]) -> None:
    outcome = json.loads(paths.metrics("bibtex-fc").read_text())
    outcome["metrics"]["P@1"] = [1.0, 2.0, 4.5]
    files.write_json(paths.metrics("bibtex-fc"), outcome)
    other = CURVE.replace(",0\n", ",1\n").replace("45.0", "55.0").split("\n", 1)[1]
    files.write_text(paths.curve("bibtex-fc"), CURVE + other)
    cells = results.read(runs)
    assert results.summarise(cells)["bibtex"]["fc"]["P@1"] == {"mean": 2.5, "std": 1.8, "n": 3}
    assert results.headlines(cells)["bibtex-fc"]["P@1"] == 2.5
    table = report.table(cells, {})
    assert "| fc | 2.50 ± 1.80 | 3.00 |" in table
    assert "| 2–3 | 1.6 |" in table  # the epochs kept, seconds of one


def test_tables_show_every_run_and_the_peers_of_its_dataset(runs: dict[str, Run]) -> None:
    peers = {"br": {"metrics": {name: [63.74, 63.7] for name in NAMES}, "seconds": [1.5, 1.6]}}
    text = report.markdown(results.read(runs), {"bibtex": peers, "delicious": {}}, [], {})
    metrics = "1.00 | 3.00 | 5.00 | 6.00 | 8.00 | 10.00 | 15.00 | 20.00"
    assert f"| fc | {metrics} | 1 | 1,234,567 | 2 | 1.6 |" in text
    assert "| br | 63.72 ± 0.03 |" in text
    assert "gone" not in text
    assert "delicious" not in text


def test_a_suite_without_runs_has_its_benchmarks_alone() -> None:
    text = report.markdown([], {}, [], {"parse": {"seconds": [0.5, {"best": 2}]}})
    assert "## Benchmark: parse" in text
    assert "| seconds.0 | 0.5 |" in text
    assert "| seconds.1.best | 2 |" in text
    assert "Figures" not in text


def test_a_run_that_has_not_been_evaluated_is_named_with_its_stage(runs: dict[str, Run]) -> None:
    paths.curve("bibtex-hrr-fc").unlink()
    with pytest.raises(UserError, match=r"bibtex-hrr-fc\.csv: missing"):
        results.read(runs)
    paths.metrics("bibtex-fc").unlink()
    with pytest.raises(UserError, match="`dvc repro evaluate@bibtex-fc` makes it"):
        results.read(runs)


def test_a_followed_run_has_a_gap_for_each_seed() -> None:
    rows = [(1, 50.0, 49.0, 0), (2, 90.0, 60.0, 0), (1, 40.0, 39.0, 1), (2, 80.0, 55.0, 1)]
    curve = pd.DataFrame(rows, columns=["epoch", "train", "test", "seed"])
    assert Followed("bibtex", "glas-none", curve).gaps == [30.0, 25.0]


def test_figures_are_the_same_bytes_each_time(runs: dict[str, Run], tmp_path: Path) -> None:
    cells = results.read(runs)
    for draw in figures.OF_RUNS.values():
        for file in ("1.svg", "2.svg"):
            save(partial(draw, cells), tmp_path / file)
        drawn = (tmp_path / "1.svg").read_text()
        assert drawn == (tmp_path / "2.svg").read_text()
        assert drawn.count("<path") > 10
