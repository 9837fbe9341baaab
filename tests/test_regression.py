"""Metrics may move by what seeds do, and no further."""

from pathlib import Path

import pytest
from helpers.project import ROOT

from hrrxml.config import params, paths
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError
from papers import records, regression, verify

SEEDS = [70.0, 71.0, 72.0, 71.0, 71.0]


def metrics(*p1: float) -> dict[str, list[float]]:
    return {name: list(p1) for name in regression.METRICS}


def test_the_tolerance_is_what_two_means_may_differ_by() -> None:
    """t of four degrees of freedom at 0.1% is 8.610; the deviation of SEEDS is √½."""
    assert regression.tolerance(SEEDS, 2) == pytest.approx(8.610 * 0.5**0.5, rel=1e-3)
    assert regression.tolerance(SEEDS, 8) == pytest.approx(8.610 * 0.5**0.5 / 2, rel=1e-3)
    assert regression.tolerance([70.0, 70.0], 2) == regression.LEAST
    with pytest.raises(UserError, match="two recorded seeds"):
        regression.tolerance([70.0], 1)


def test_only_seeds_that_both_have_are_compared() -> None:
    same = regression.compare("r", metrics(*SEEDS), metrics(70.0, 71.0))
    assert "nothing moved" in regression.table(same)
    near = regression.compare("r", metrics(*SEEDS), metrics(72.0, 73.0))
    assert "| r | P@1 | 70.50 | 72.50 | +2.00 | 6.09 | within |" in regression.table(near)
    far = regression.compare("r", metrics(*SEEDS), metrics(2.0, 3.0))
    assert all(move.too_far for move in far)
    assert "| -68.00 | 6.09 | moved |" in regression.table(far)


def test_results_are_compared_with_their_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files.write_text(params.PATH, (ROOT / "params.yaml").read_text())
    runs = list(params.load().runs)
    for name in runs:
        files.write_json(paths.metrics(name), records.read("runs", name))
    verify.main("--results")
    assert "nothing moved" in capsys.readouterr().out
    files.write_json(paths.metrics(runs[0]), {"metrics": metrics(1.0)})
    with pytest.raises(UserError, match=f"further from the record than seeds are: {runs[0]} P@1"):
        verify.main("--results")
    paths.metrics(runs[0]).unlink()
    with pytest.raises(UserError, match=f"`dvc repro evaluate@{runs[0]}` makes it"):
        verify.main("--results")
