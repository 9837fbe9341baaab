"""The benchmarks run and say what they promise; how fast things are is not a test's business."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from benchmarks import __main__, figures, findings, parse, sizes
from benchmarks.shapes import SHAPES
from benchmarks.targets import verdicts
from hrrxml.config.schema import Params
from hrrxml.datasets.layouts import sparse_text

Bench = Callable[..., dict[str, Any]]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bench:
    """A command of hrrxml.bench, in this process."""

    def run(*arguments: str) -> dict[str, Any]:
        monkeypatch.chdir(ROOT)
        monkeypatch.setattr(sys, "argv", ["bench", *arguments, "--json"])
        __main__.main()
        return json.loads(capsys.readouterr().out)

    return run


def test_parse_as_a_command() -> None:
    command = [sys.executable, "-m", "hrrxml.bench", "parse", "--shape", "bibtex", "--repeats", "1"]
    run = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    assert found["points"] == 4880
    assert found["speed_up"] == pytest.approx(
        found["sklearn_seconds"] / found["ours_seconds"], rel=0.01
    )
    assert {"ours_peak_over_arrays", "load_seconds", "arrays_mb"} <= set(found)


def test_encoders(bench: Bench) -> None:
    found = bench("encoders", "--shape", "bibtex", "--repeats", "1")
    for model in ("cnn", "hrr-cnn", "lstm", "hrr-lstm"):
        assert set(found[model]) == {"execution", "optimisation", "words_per_second"}
        assert found[model]["words_per_second"] > 0
    assert found["cnn_execution_speed_up"] == pytest.approx(
        found["cnn"]["execution"] / found["hrr-cnn"]["execution"], abs=0.02
    )


def test_step(bench: Bench) -> None:
    found = bench("step", "--shape", "bibtex", "--repeats", "1")
    for model in ("hrr", "holographic"):
        ratio = found["fc_ms"] / found[f"{model}_ms"]
        assert found[f"{model}_speed_up"] == pytest.approx(ratio, rel=0.01)
    assert found["input_ms"] > 0
    expected = {"batch": 64, "features": 1836, "labels": 159, "dim": 400}
    assert {key: found[key] for key in expected} == expected
    assert found["published_speed_up"] == 0.35
    assert {"threads", "repeats"} <= set(found)


def test_inference(bench: Bench) -> None:
    found = bench("inference", "--shape", "bibtex", "--repeats", "1")
    for model in ("hrr", "circulant"):
        ratio = found[f"{model}_ms"] / found["fc_ms"]
        assert found[f"{model}_over_fc"] == pytest.approx(ratio, rel=0.01)
    assert (found["labels"], found["dim"], found["hidden"]) == (159, 400, 512)
    assert "| bibtex | 64 | 159 | 400 |" in findings.markdown({"inference": {"bibtex": found}})


def test_loss(bench: Bench) -> None:
    found = bench("loss", "--shape", "bibtex", "--dim", "40", "--repeats", "1")
    for key, other in (("speed_up", "appendix"), ("literal_speed_up", "literal")):
        assert found[key] == pytest.approx(found[f"{other}_ms"] / found["ours_ms"], rel=0.01)
    assert found["difference"] < 1e-4  # ours is the printed loss


def test_search(bench: Bench) -> None:
    found = bench("search", "--labels", "500", "--dim", "20", "--queries", "4", "--repeats", "1")
    assert found["agrees"]
    for other in ("matmul", "faiss", "topk"):
        ratio = found[f"{other}_ms"] / found["ours_ms"]
        assert found[f"{other}_over_ours"] == pytest.approx(ratio, rel=0.05, abs=1e-3)
    assert (found["matmul_bytes"], found["ours_bytes"]) == (40_000, 2_000)
    assert found["ours_ms_per_query"] == pytest.approx(found["ours_ms"] / 4, rel=0.01)
    assert 0 <= found["hnsw_recall"] <= 1


def test_growth(bench: Bench) -> None:
    found = bench("growth", "--labels", "3000", "--dim", "64", "--repeats", "1")
    assert [point["labels"] for point in found["by_labels"]] == [10, 30, 100, 300, 1000, 3000]
    assert [point["dim"] for point in found["by_dim"]] == [4, 8, 16, 32, 64]
    names = {"search_ms", "loss_ms", "matmul_ms", "bytes", "matmul_bytes"}
    for axis in ("labels", "dim"):
        assert set(found[f"exponents_by_{axis}"]) == names
    assert found["exponents_by_dim"]["matmul_bytes"] == pytest.approx(1)


def test_neighbours(bench: Bench) -> None:
    """Of vectors in clusters an index that looks into some cells finds most."""
    found = bench(
        "neighbours", "--labels", "3000", "--dim", "16", "--queries", "8", "--repeats", "1"
    )
    assert found["agrees"]
    assert 0.5 < found["faiss_ivf_recall"] <= 1
    assert 0 <= found["faiss_ivf_spread_recall"] <= 1
    names = ("ours", "circulant", "faiss_flat", "faiss_ivf")
    assert all(found[f"{name}_ms"] > 0 for name in names)
    text = findings.markdown({"neighbours": {"grid": [found]}})
    assert "| 3,000 | 16 |" in text
    assert "< 1 |" in text


def test_input(bench: Bench) -> None:
    found = bench("input", "--shape", "bibtex", "--repeats", "1")
    ratio = found["sparse_adam_ms"] / found["ours_ms"]
    assert found["speed_up"] == pytest.approx(ratio, rel=0.01)


def test_wrong_sizes_are_refused_in_a_line(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        bench("search", "--labels", "0")
    assert "'0' is not a whole number from 5 on" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="at least 1500 labels"):
        bench("growth", "--labels", "10")


def test_sizes_are_table_2_where_it_agrees_with_table_6(bench: Bench) -> None:
    found = bench("sizes")
    assert found["eurlex-4k"]["output_saved"] == 89.98
    assert found["amazoncat-13k"]["network_saved"] == pytest.approx(4.74, abs=0.02)
    assert findings.contradicting(found) == ["wiki10-31k", "delicious-200k", "amazon-670k"]
    assert found["bibtex"]["published_output_saved"] is None


def test_shapes_are_those_of_the_registry(settings: Params) -> None:
    for name, shape in SHAPES.items():
        dataset = settings.datasets[name]
        assert dataset.paper is not None
        assert (shape.dim, shape.batch) == (dataset.paper.dim, dataset.paper.batch_size)
        expected = dataset.expect
        assert expected.points is not None
        assert (shape.points, shape.features, shape.labels) == (
            expected.points[0],
            expected.features,
            expected.labels,
        )


def test_the_report_says_what_was_measured_and_no_more(bench: Bench, tmp_path: Path) -> None:
    assert findings.markdown({}) == ""
    found = {"sizes": sizes.measure()}
    text = findings.markdown(found)
    assert "| amazon-670k | 3000 | 99.55 (99.55) | 82.74 (42.09) |" in text
    assert "Table 3" not in text
    step = bench("step", "--shape", "mediamill", "--repeats", "1")
    found |= {"step": {"mediamill": step | {"hrr_speed_up": 0.5}}}
    found |= {"growth": bench("growth", "--labels", "3000", "--dim", "64", "--repeats", "1")}
    [verdict] = verdicts(found)
    assert (verdict.wanted, verdict.met) == ("≥ 1", False)
    text = findings.markdown(found)
    assert f"Medians of {step['repeats']} on {step['threads']} threads." in text
    figures.draw(found, tmp_path)
    assert {path.stem for path in tmp_path.iterdir()} == set(figures.figures(found))


def test_generated_files_have_their_shape(tmp_path: Path) -> None:
    shape = SHAPES["bibtex"]
    parse.write_file(tmp_path / "train.txt", shape)
    table = sparse_text.read(tmp_path / "train.txt")
    assert (len(table.labels), table.n_features, table.n_labels) == (4880, 1836, 159)
    assert len(table.features.ids) / 4880 == pytest.approx(shape.features_per_point, rel=0.05)
    assert len(table.labels.ids) / 4880 == pytest.approx(shape.labels_per_point, rel=0.05)
