"""The summary and the report say what the runs' files say, and nothing else."""

from pathlib import Path

import pytest
from conftest import ROOT

from hrrxml import suite
from hrrxml.config import paths
from hrrxml.config.schema import Params, Run
from hrrxml.runtime import files
from papers import evidence

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
