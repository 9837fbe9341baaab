"""The other tools and ours are measured on the same points, and a killed measuring goes on."""

import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers.project import ROOT
from safetensors.numpy import load_file
from scipy.sparse import csr_matrix, save_npz

import benchmarks
from benchmarks import judged, kept, recipe, rivals
from benchmarks.alone import ours, rival
from benchmarks.kept import Ended, Result
from benchmarks.prepared import Prepared, prepare
from hrrxml.config import paths
from hrrxml.config.schema import Propensity
from hrrxml.evaluation.metrics import Jain_et_al_inverse_propensity
from hrrxml.runtime.errors import UserError
from papers import by_point
from papers.by_point import Truth
from stages import benchmark as stage

ANIMALS = "wordnet-animals"
SOME = ("parabel-1", "plt", "pecos", "br")


@pytest.fixture
def folder(tmp_path: Path, wordnet: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project's folder that has downloaded the animals; PECOS is not installed."""
    shutil.copy(ROOT / "params.yaml", tmp_path)
    shutil.copytree(wordnet, tmp_path / "data/download" / ANIMALS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(rivals.PECOS, raising=False)
    monkeypatch.setattr(rivals, "METHODS", {name: rivals.METHODS[name] for name in SOME})
    return tmp_path


@pytest.fixture
def data(tmp_path: Path) -> Prepared:
    """Three test points with the labels 0; 1, 2 and 3; none."""
    truth = csr_matrix(np.array([[1, 0, 0, 0], [0, 1, 1, 1], [0, 0, 0, 0]], dtype=np.float32))
    learned = csr_matrix(np.repeat(np.eye(4, dtype=np.float32), [6, 3, 2, 1], axis=0))
    return Prepared(
        dataset="toy",
        folder=tmp_path,
        has_texts=False,
        truth=truth,
        counts=np.array([6, 3, 2, 1]),
        sizes={"points": 12, "test_points": 3, "features": 1, "labels": 4},
        propensity=Propensity(a=0.55, b=1.5),
        inv_ps=Jain_et_al_inverse_propensity(learned),
        seconds=0.0,
        digest="0",
    )


RANKING = np.array([[0, 1, 2, 3, -1], [2, 0, 1, -1, -1], [0, 1, 2, 3, -1]])


def test_the_tools_are_measured_and_not_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result, arrays = rivals._measure(ANIMALS, 1)
    assert result["left_out"] == {"pecos": "HRRXML_PECOS names no Python that has it"}
    assert set(result["methods"]) == {"parabel-1", "plt", "br"}
    for name, method in result["methods"].items():
        assert method["metrics"]["P@1"][0] > 60, name
        assert min(method[cost][0] for cost in judged.COSTS) > 0, name
    assert result["methods"]["br"]["bytes"] != result["methods"]["plt"]["bytes"]
    about = Truth(
        arrays["truth.labels"],
        arrays["truth.rarest"],
        result["sizes"]["points"],
        **result["propensity"],
    )
    for name, method in result["methods"].items():
        for metric in ("P@1", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5"):
            shares = about.share(arrays[name], metric)
            assert shares.mean(1) == pytest.approx(method["metrics"][metric], abs=1e-3), metric

    monkeypatch.setattr(kept, "_run", lambda *_: pytest.fail("measured twice"))
    assert rivals.measure(ANIMALS) == result
    monkeypatch.setattr(rivals, "LONGEST", 0.01)
    assert "core-minutes" in rivals.measure(ANIMALS)["left_out"]["br"]


PROGRAM = """
import json, sys, numpy
from pathlib import Path
folder = Path(json.loads(sys.argv[2])["folder"])
(folder / "facts.json").write_text(json.dumps({"said": sys.argv[1]}))
numpy.save(folder / "ranking.npy", [3])
"""


def test_what_is_kept_is_of_its_data_and_its_settings(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def say(word: str, seed: int, of: Prepared = data) -> Any:
        result = kept.run([sys.executable, "-c", PROGRAM, word], {"seed": seed}, of, "one")
        np.testing.assert_array_equal(result.arrays["ranking"], [3])
        return result.facts["said"]

    assert [say("first", 0), say("again", 0)] == ["first", "first"]
    assert [say("other seed", 1), say("again", 1)] == ["other seed", "other seed"]
    assert say("other data", 1, replace(data, digest="1")) == "other data"


def test_a_process_that_the_system_ends_is_no_error(
    data: Prepared, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    killed = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    for _ in range(2):  # the second time from where it is kept
        with pytest.raises(Ended, match="probably out of memory"):
            kept.run(killed, {}, data, "killed")
        killed = [sys.executable, "-c", "raise SystemExit('not run')"]
    with pytest.raises(UserError, match=r"omikuji: exit code 1: ValueError: no"):
        kept.run([sys.executable, "-c", "raise ValueError('no')"], {"tool": "omikuji"}, data, "bad")


def test_a_tool_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(rivals.PECOS, "/no/python")
    rivals._version.cache_clear()
    with pytest.raises(UserError, match="HRRXML_PECOS is no such Python"):
        rivals._version("pecos")


def test_rankings_are_padded_and_repeat_no_label() -> None:
    assert rival.padded([[3], [], [0, 1, 2, 3, 4, 5], [2, 0, 0]]).tolist() == [
        [3, -1, -1, -1, -1],
        [-1, -1, -1, -1, -1],
        [0, 1, 2, 3, 4],
        [2, 0, -1, -1, -1],
    ]


def test_what_is_kept_by_point(data: Prepared) -> None:
    """1 + how many points the right labels have."""
    assert judged.found(data, RANKING).tolist() == [[7, 0, 0, 0, 0], [3, 0, 4, 0, 0], [0] * 5]
    kept_of_truth = judged.truth(data)
    assert kept_of_truth["truth.labels"].tolist() == [1, 3, 0]
    assert kept_of_truth["truth.rarest"].tolist() == [[7, 0, 0, 0, 0], [2, 3, 4, 0, 0], [0] * 5]
    about = Truth(kept_of_truth["truth.labels"], kept_of_truth["truth.rarest"], 12, 0.55, 1.5)
    expected = judged.metrics(data, RANKING)
    for metric, value in expected.items():
        share = about.share(judged.found(data, RANKING)[None], metric)
        assert share.mean() == pytest.approx(value, abs=1e-3), metric


def test_head_middle_and_tail_have_a_third_of_the_labels_of_points(data: Prepared) -> None:
    assert judged.groups(data) == {
        "head": {"least": 6, "labels": 1, "test": 1},
        "middle": {"least": 3, "labels": 1, "test": 1},
        "tail": {"least": 0, "labels": 2, "test": 2},
    }


def test_three_seeds_rank_by_their_mean_probability() -> None:
    def result(ids: list[int], chances: list[float]) -> Result:
        return Result({}, {"ids": np.array([ids]), "chances": np.array([chances])})

    seeds = [
        result([0, 1, -1], [0.9, 0.4, 0.0]),
        result([1, 2, -1], [0.8, 0.1, 0.0]),
        result([2, 1, -1], [0.7, 0.6, 0.0]),
    ]
    assert recipe.together(seeds, 4).tolist() == [[1, 0, 2, -1, -1]]


@pytest.mark.parametrize(
    ("words", "has_texts", "expected"),
    [(29, True, ("texts", "features")), (31, True, ("texts",)), (29, False, ("features",))],
)
def test_features_are_given_where_ours_would_make_others(
    words: int, has_texts: bool, expected: tuple[str, ...], tmp_path: Path
) -> None:
    save_npz(tmp_path / "train.npz", csr_matrix(np.ones((2, words))))
    data = SimpleNamespace(folder=tmp_path, has_texts=has_texts, sizes={"points": 2})
    assert recipe.inputs_of(data) == expected


def test_ours_is_measured_as_the_tools_are(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here with the texts alone."""
    monkeypatch.setattr(recipe, "inputs_of", lambda data: ("texts",))

    def here(program: Any, task: dict[str, Any]) -> dict[str, Any]:
        assert program == recipe.PROGRAM
        ours.main(json.dumps(task))
        return {}

    monkeypatch.setattr(kept, "_run", here)
    result, arrays = recipe._measure(ANIMALS, 1)
    assert list(result["methods"]) == ["texts"]
    for name, method in result["methods"].items():
        assert method["metrics"]["P@1"][0] > 70
        assert method["first"]["metrics"]["P@1"][0] < method["metrics"]["P@1"][0]
        (chosen,) = method["chosen"]
        assert chosen["recipe"]["dim"] > 1
        assert len(chosen["curve"]["held_out_p1"]) > 1
        assert "ensemble" not in method
        hits = (arrays[name][..., 0] > 0).mean()
        assert 100 * hits == pytest.approx(method["metrics"]["P@1"][0], abs=1e-3)
    assert result["data"] == prepare(ANIMALS).digest


def test_the_stage_keeps_what_is_by_point_in_a_file_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = {"toy/plt": np.arange(10, dtype=np.uint16).reshape(1, 2, 5)}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(benchmarks, "measure_all", lambda _: {"n": 1, "by_point": arrays})
    stage.main("rivals")
    assert json.loads(paths.benchmark("rivals").read_text()) == {"n": 1}
    monkeypatch.setattr(by_point.records, "FOLDER", tmp_path)
    by_point.write("rivals", load_file(paths.by_point("rivals")))
    by_point.write("sizes", {})
    found = by_point.read_all()
    assert list(found) == ["rivals"]
    np.testing.assert_array_equal(found["rivals"]["toy"]["plt"], arrays["toy/plt"])
