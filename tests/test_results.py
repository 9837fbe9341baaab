"""The summary and the report say what the runs' files say, and nothing else."""

import json
import subprocess
from pathlib import Path

import pytest
from conftest import ROOT

from hrrxml import suite
from hrrxml.config import paths
from hrrxml.config.schema import Params, Run
from hrrxml.report import figures, results
from hrrxml.report import run as report
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError
from papers import evidence, readme

CURVE = """epoch,train_loss,validation_p1,seconds,seed
1,2.0,40.0,1.5,0
2,1.0,50.0,1.7,0
3,0.9,45.0,1.6,0
"""


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Run]:
    """Two runs on disk, and the remains of a third that params.yaml no longer names."""
    monkeypatch.chdir(tmp_path)
    names = [f"{m}@{k}" for m in ("P", "PSP", "nDCG", "PSnDCG") for k in range(1, 6)]
    for number, name in enumerate(["bibtex-fc", "bibtex-hrr-fc", "bibtex-gone"]):
        metrics = {metric: [10.0 * number + place + 1] for place, metric in enumerate(names)}
        outcome = {"metrics": metrics, "parameters": {"output": 1234567, "network": 9}}
        outcome |= {"settings": {"train": {"seeds": 1}}}
        files.write_json(paths.metrics(name), outcome)
        files.write_text(paths.curve(name), CURVE)
    return {
        "bibtex-fc": Run(dataset="bibtex", encoder="fc", head="bce"),
        "bibtex-hrr-fc": Run(dataset="bibtex", encoder="fc", head="hrr"),
    }


def test_summary(runs: dict[str, Run]) -> None:
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
    summary = results.summarise(cells)
    assert summary["bibtex"]["fc"]["P@1"] == {"mean": 2.5, "std": 1.8, "n": 3}
    assert "| fc | 2.50 ± 1.80 | 3.00 |" in report.table(cells)
    assert "| 2–3 | 1.6 |" in report.table(cells)  # the epochs kept, seconds of one


def test_tables(runs: dict[str, Run]) -> None:
    cells = results.read(runs)
    text = report.of_chosen(cells)
    metrics = "1.00 | 3.00 | 5.00 | 6.00 | 8.00 | 10.00 | 15.00 | 20.00"
    assert f"| fc | {metrics} | 1 | 1,234,567 | 2 | 1.6 |" in text
    assert "gone" not in text
    assert report.of_chosen([]) == ""
    counts = {"points": [3, 2], "features": 7, "labels": 5, "labels_per_point": 1.5}
    counts |= {"points_per_label": 1.1, "train_points_per_label": 0.8, "table6": None}
    assert "| bibtex | 3 + 2 | 7 | 5 | 1.5 | 1.1 | 0.8 |" in report.table6({"bibtex": counts})


def test_a_run_that_has_not_been_evaluated(runs: dict[str, Run]) -> None:
    paths.curve("bibtex-hrr-fc").unlink()
    with pytest.raises(UserError, match=r"bibtex-hrr-fc\.csv: missing"):
        results.read(runs)
    paths.metrics("bibtex-fc").unlink()
    with pytest.raises(UserError, match="`dvc repro evaluate@bibtex-fc` makes it"):
        results.read(runs)


def test_peers(runs: dict[str, Run]) -> None:
    outcome = {"br": {"metrics": {"P@1": [63.74, 63.7]}, "seconds": [1.5, 1.6]}}
    files.write_json(paths.peers("bibtex"), outcome)
    assert results.read_peers(["bibtex", "delicious"]) == {"bibtex": outcome}


def test_figures_are_the_same_bytes_each_time(runs: dict[str, Run], tmp_path: Path) -> None:
    cells = results.read(runs)
    for name in figures.ALL:
        figures.draw(name, cells, tmp_path / "1.svg")
        figures.draw(name, cells, tmp_path / "2.svg")
        drawn = (tmp_path / "1.svg").read_text()
        assert drawn == (tmp_path / "2.svg").read_text()
        assert drawn.count("<path") > 10


def test_a_removed_run_leaves_nothing_in_the_report(
    runs: dict[str, Run], settings: Params, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither params.yaml nor a suite names it; its files are still there."""
    for name in ("capacity.csv", "responses.csv", "theorem.csv"):
        files.write_text(Path("results", name), (ROOT / "results" / name).read_text())
    monkeypatch.setattr(suite, "FOLDER", Path("suites"))
    chosen = settings.model_copy(update={"runs": runs, "overfitting": {}})
    assert set(evidence.read(chosen).cells) == {"bibtex-fc", "bibtex-hrr-fc"}
    assert paths.metrics("bibtex-gone").exists()


def test_the_readme_shows_the_committed_results(
    settings: Params, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those in git: a run of your own may have other seconds, and on another CPU other digits."""
    checkout = ["git", "checkout-index", "--all", f"--prefix={tmp_path}/"]
    subprocess.run(checkout, cwd=ROOT, check=True)
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "README.md").read_text()
    assert readme.fill(text, readme.blocks(settings)) == text, "run `python -m hrrxml.readme`"


def test_a_readme_without_its_markers() -> None:
    with pytest.raises(UserError, match="needs `<!-- table1 -->`"):
        readme.fill("nothing", {"table1": "| a |"})
    text = "a\n<!-- x -->\nold\n<!-- end of x -->\nb\n"
    assert readme.fill(text, {"x": "new\\1"}) == text.replace("old", "new\\1")
