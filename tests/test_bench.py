"""The benchmarks run and say what they promise; how fast things are is not a test's business."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from hrrxml.bench import parse
from hrrxml.bench.shapes import SHAPES
from hrrxml.data.layouts import sparse_text


def test_parse_as_a_command() -> None:
    command = [sys.executable, "-m", "hrrxml.bench", "parse", "--shape", "bibtex", "--repeats", "1"]
    run = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    assert found["points"] == 4880
    assert found["speed_up"] == pytest.approx(
        found["sklearn_seconds"] / found["ours_seconds"], rel=0.01
    )
    assert {"ours_peak_over_arrays", "load_seconds", "arrays_mb"} <= set(found)


def test_encoders_as_a_command() -> None:
    command = [sys.executable, "-m", "hrrxml.bench", "encoders", "--shape", "bibtex"]
    command += ["--repeats", "1", "--json"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = json.loads(run.stdout)
    for model in ("cnn", "hrr-cnn", "lstm", "hrr-lstm"):
        assert set(found[model]) == {"execution", "optimisation", "words_per_second"}
        assert found[model]["words_per_second"] > 0
    assert found["cnn_execution_speed_up"] == pytest.approx(
        found["cnn"]["execution"] / found["hrr-cnn"]["execution"], abs=0.02
    )


def test_generated_files_have_their_shape(tmp_path: Path) -> None:
    shape = SHAPES["bibtex"]
    parse.write_file(tmp_path / "train.txt", shape)
    table = sparse_text.read(tmp_path / "train.txt")
    assert (len(table.labels), table.n_features, table.n_labels) == (4880, 1836, 159)
    assert len(table.features.ids) / 4880 == pytest.approx(shape.features_per_point, rel=0.05)
    assert len(table.labels.ids) / 4880 == pytest.approx(shape.labels_per_point, rel=0.05)
