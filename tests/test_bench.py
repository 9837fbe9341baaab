"""The benchmarks run and report what they should. How fast things are is not tested."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.project import ROOT

import benchmarks
from benchmarks import __main__, algebra, growth, search, seeded, vectors
from benchmarks.shapes import make_batches, shapes
from hrrxml.runtime.errors import UserError
from stages import benchmark as stage

Bench = Callable[..., dict[str, Any]]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bench:
    """`python -m benchmarks`, in this process."""

    def run(*arguments: str) -> dict[str, Any]:
        monkeypatch.chdir(ROOT)
        __main__.main(*arguments, "--json")
        return json.loads(capsys.readouterr().out)

    return run


def assert_timed(result: dict[str, Any], *names: str) -> None:
    for name in names:
        assert result[f"{name}_ms"] > 0, name
    assert result["threads"] == torch.get_num_threads()


def test_modules_that_measure_are_benchmarks() -> None:
    assert {"step", "sizes", "search"} <= set(benchmarks.names())
    assert not {"clock", "models", "scale", "shapes", "__main__"} & set(benchmarks.names())


def test_input_as_a_command() -> None:
    command = [sys.executable, "-m", "benchmarks", "input", "--shape", "bibtex", "--repeats", "1"]
    run = subprocess.run([*command, "--json"], cwd=ROOT, capture_output=True, text=True, check=True)
    result = json.loads(run.stdout)
    assert_timed(result, "ours", "sparse_adam")
    assert (result["features"], result["batch"], result["hidden"]) == (1836, 64, 512)


def test_without_json_a_table_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    __main__.main("sizes")
    assert "| eurlex-4k.fc_output | 2048409 |" in capsys.readouterr().out


def test_every_shape_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    module = benchmarks.load("loss")
    monkeypatch.setattr(module, "measure", lambda shape: {"dim": shape})
    assert benchmarks.measure_all("loss") == {shape: {"dim": shape} for shape in module.SHAPES}


def test_encoders(bench: Bench) -> None:
    result = bench("encoders", "--shape", "bibtex", "--repeats", "1")
    for model in ("cnn", "hrr-cnn", "lstm", "hrr-lstm"):
        assert set(result[model]) == {"execution", "optimisation", "words_per_second"}
        assert result[model]["execution"] > 0
        assert result[model]["words_per_second"] > 0
    assert (result["labels"], result["batch"]) == (159, 64)


def test_step(bench: Bench) -> None:
    result = bench("step", "--shape", "bibtex", "--repeats", "1")
    assert_timed(result, "fc", "hrr", "holographic", "input")
    expected = {"batch": 64, "features": 1836, "labels": 159, "dim": 400, "repeats": 3}
    assert {key: result[key] for key in expected} == expected
    assert not any("published" in key for key in result)


def test_inference(bench: Bench) -> None:
    result = bench("inference", "--shape", "bibtex", "--repeats", "1")
    assert_timed(result, "fc", "hrr", "circulant")
    assert (result["labels"], result["dim"], result["hidden"]) == (159, 400, 512)


def test_loss_equals_the_printed_one(bench: Bench) -> None:
    result = bench("loss", "--shape", "bibtex", "--dim", "40", "--repeats", "1")
    assert_timed(result, "ours", "appendix", "literal")
    assert result["difference"] < 1e-4
    assert result["dim"] == 40
    assert bench("loss", "--shape", "bibtex", "--repeats", "1")["dim"] == 400  # the paper's


def test_search_is_exact(bench: Bench) -> None:
    result = bench("search", "--labels", "500", "--dim", "20", "--queries", "4", "--repeats", "1")
    assert_timed(result, "ours", "matmul", "faiss", "topk", "hnsw")
    assert result["agrees"]
    assert result["matmul_bytes"] == 4 * 500 * 20
    assert result["ours_bytes"] == 4 * 25 * 20  # 25 bases have 500 rolls
    assert 0 <= result["hnsw_recall"] <= 1


def test_a_wrong_search_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = torch.Generator().manual_seed(0)
    bases, wanted = vectors.make_bases(100, 20, generator), torch.randn(4, 20, generator=generator)
    assert search.agrees(wanted, bases, 100)
    first = torch.arange(5).expand(4, 5)
    monkeypatch.setattr("hrrxml.search.circulant", lambda *_: (first, None))
    assert not search.agrees(wanted, bases, 100)


def test_recall_is_the_share_of_the_exact_best() -> None:
    index = vectors.flat_index(torch.eye(6))
    wanted = torch.tensor([[5.0, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, 5]])
    exact = torch.tensor([[3, 0, 4, 1], [5, 4, 3, 0]])
    assert vectors.recall(index, wanted, exact) == 0.75


def test_algebra(bench: Bench) -> None:
    result = bench("algebra", "--dim", "16", "--repeats", "1")
    names = [f"{a}_{what}" for a in algebra.ALGEBRAS for what in ("bind", "unbind", "round")]
    assert_timed(result, *names, "pseudo_inverse", "exact_inverse")
    times = result["vtb_round_ms"], result["hrr_round_ms"]
    assert result["vtb_round_over_hrr"] == pytest.approx(times[0] / times[1], abs=1e-3)
    with pytest.raises(UserError, match="a square --dim, such as 256, not 250"):
        bench("algebra", "--dim", "250")


def test_every_algebra_unbinds_what_it_bound(generator: torch.Generator) -> None:
    x, y = torch.randn(2, 4, 400, generator=generator) / 20
    for name, (bind, unbind) in algebra.ALGEBRAS.items():
        similar = torch.cosine_similarity(unbind(bind(x, y), y), x)
        assert similar.min() > (0.999 if name == "exact" else 0.4), name


def test_label_vectors_come_back_from_their_seed(bench: Bench) -> None:
    result = bench("seeded", "--labels", "2500", "--dim", "16", "--repeats", "1")
    assert_timed(result, "stored", "seeded")
    assert result["same_vectors"]
    assert result["same_labels"]
    assert (result["stored_bytes"], result["seeded_bytes"]) == (4 * 2500 * 16, 4 * 1000 * 16)
    first, second, third = seeded.draw(2500, 16)
    assert [len(block) for block in (first, second, third)] == [1000, 1000, 500]
    assert not torch.equal(first, second)
    torch.testing.assert_close(torch.fft.rfft(third).abs(), torch.ones(500, 9))


def test_growth(bench: Bench) -> None:
    result = bench("growth", "--labels", "3000", "--dim", "64", "--repeats", "1")
    assert [point["labels"] for point in result["by_labels"]] == [10, 30, 100, 300, 1000, 3000]
    assert [point["dim"] for point in result["by_dim"]] == [4, 8, 16, 32, 64]
    for point in result["by_labels"] + result["by_dim"]:
        assert min(point["search_ms"], point["loss_ms"], point["matmul_ms"]) > 0
        bases = -(-point["labels"] // point["dim"])
        assert point["bytes"] == 4 * bases * point["dim"]
    assert result["exponents_by_dim"]["matmul_bytes"] == pytest.approx(1)


def test_exponents_are_slopes_of_what_was_measured() -> None:
    names = ("search_ms", "loss_ms", "matmul_ms", "bytes", "matmul_bytes")
    points = [dict.fromkeys(names, 3 * x**2) | {"dim": x, "matmul_ms": None} for x in (1, 4, 9)]
    slopes = growth.exponents(points, "dim")
    assert slopes == dict.fromkeys(set(names) - {"matmul_ms"}, 2.0)


def test_neighbours(bench: Bench) -> None:
    """An index that searches a few cells finds most vectors that lie in clusters."""
    sizes = ("--labels", "3000", "--dim", "16", "--queries", "8")
    result = bench("neighbours", *sizes, "--repeats", "1")
    assert_timed(result, "ours", "circulant", "faiss_flat", "faiss_ivf")
    assert result["agrees"]
    assert 0.5 < result["faiss_ivf_recall"] <= 1
    assert 0 <= result["faiss_ivf_spread_recall"] <= 1


def test_sizes_are_those_of_table_2_where_it_agrees_with_table_6(bench: Bench) -> None:
    result = bench("sizes")
    eurlex = result["eurlex-4k"]
    encoder = 5001 * 512 + 513 * 512
    assert (eurlex["fc_output"], eurlex["hrr_output"]) == (513 * 3993, 513 * 400)
    assert eurlex["hrr_network"] == encoder + 513 * 400
    assert eurlex["output_saved"] == 89.98
    assert result["amazoncat-13k"]["network_saved"] == pytest.approx(4.74, abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("search", "--labels", "0"), "'0' is not an integer of at least 5"),
        (("step", "--shape", "nothing"), "invalid choice: 'nothing'"),
        (("step", "--repeats", "0"), "invalid choice: 0"),
        (("nothing",), "invalid choice: 'nothing'"),
    ],
)
def test_wrong_options_are_refused_in_a_line(
    bench: Bench, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SystemExit):
        bench(*arguments)
    assert message in capsys.readouterr().err.splitlines()[-1]


def test_too_few_labels_to_grow_are_refused(bench: Bench) -> None:
    with pytest.raises(UserError, match="at least 1500 labels"):
        bench("growth", "--labels", "10")


def test_the_stage_writes_what_all_shapes_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bench: Bench
) -> None:
    expected = bench("sizes")  # reads the shapes, which are in the project's root
    monkeypatch.chdir(tmp_path)
    stage.main("sizes")
    assert json.loads(Path("results/benchmarks/sizes.json").read_text()) == expected
    with pytest.raises(
        UserError, match="no benchmark 'clock'; there are algebra, classifier, crosstalk, door, "
    ):
        stage.main("clock")


def test_synthetic_batches_have_their_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    batches = make_batches(shapes()["delicious"], 10)
    assert [len(batch) for batch in batches] == [64] * 10
    lengths = torch.cat([batch.labels.lengths for batch in batches]).double()
    assert lengths.mean() == pytest.approx(19.03, rel=0.05)
