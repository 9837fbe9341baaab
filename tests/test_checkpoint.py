"""A training that was cut short ends with the same bits; no wrong checkpoint is ever loaded."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from helpers.models import HEADS, ORIGIN, build, rate, settings_for
from helpers.project import ROOT
from hypothesis import given
from hypothesis import strategies as st

from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError
from hrrxml.training import checkpoint
from hrrxml.training import loop as training
from hrrxml.training.checkpoint import Checkpoint, pack, unpack
from hrrxml.training.step import Steps

EPOCHS = 3  # of five batches


class Crash(Exception):
    pass


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Checkpoint:
    monkeypatch.setenv("HRRXML_CHECKPOINT_SECONDS", "0")
    monkeypatch.setattr(checkpoint, "MIN_TRAINING_RATIO", 0)  # after every batch
    return Checkpoint(tmp_path / "kept/0.safetensors", ORIGIN)


def fit(
    settings: Params, points: Points, loss: str, kept: Checkpoint | None, **changes: Any
) -> tuple[dict[str, torch.Tensor], list[Any]]:
    encoder = changes.pop("encoder", "fc")
    network = build(settings, points, loss, encoder=encoder)
    ranked = {"validation": points.select(torch.arange(20))}
    return training.fit(
        network, points, ranked, settings_for(EPOCHS, **changes), rate(1e-2, 0.9), 0, kept
    )


def crash_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    take = Steps.take

    def crashing(self: Steps, batch: Points) -> float:
        if self.taken == step:
            raise Crash
        return take(self, batch)

    monkeypatch.setattr(Steps, "take", crashing)


def assert_same(one: Any, other: Any) -> None:
    """Every bit of the weights, and the curves but for their seconds."""
    assert set(one[0]) == set(other[0])
    for name, value in one[0].items():
        assert torch.equal(value, other[0][name]), name
    rows = [[(row.epoch, row.train_loss, row.p1) for row in found[1]] for found in (one, other)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("step", [1, 5, 7, 14])
@pytest.mark.parametrize(
    ("loss", "changes"),
    [
        *((head, {}) for head in HEADS),
        ("absolute", {"keep_features": 0.7}),
        ("absolute", {"encoder": "cnn", "clip": 0.5}),
        ("glas", {"encoder": "lstm", "average_from": 2}),
        ("holographic", {"encoder": "cnn", "precision": "bfloat16"}),
    ],
)
def test_what_was_cut_short_ends_with_the_same_bits(
    settings: Params,
    corpus: Points,
    kept: Checkpoint,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    loss: str,
    changes: dict[str, Any],
    step: int,
) -> None:
    whole = fit(settings, corpus, loss, None, **changes)
    with monkeypatch.context() as patch:
        crash_at(step, patch)
        with pytest.raises(Crash):
            fit(settings, corpus, loss, kept, **changes)
    torch.manual_seed(123)  # whatever a new process has done before
    assert_same(fit(settings, corpus, loss, kept, **changes), whole)
    assert f"resuming from {kept.path}" in capsys.readouterr().err


def test_what_had_ended_is_not_trained_again(
    settings: Params,
    corpus: Points,
    kept: Checkpoint,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = fit(settings, corpus, "absolute", kept)
    crash_at(0, monkeypatch)
    assert_same(fit(settings, corpus, "absolute", kept), whole)


@pytest.mark.parametrize("part", ORIGIN)
def test_a_checkpoint_of_anything_else_is_ignored(
    part: str, kept: Checkpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.save(lambda: {"a": torch.ones(3)})
    other = Checkpoint(kept.path, ORIGIN | {part: "another"})
    assert other.load() is None
    assert f"{kept.path}: made with other {part}: ignored" in capsys.readouterr().err
    assert kept.load() is not None


@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_every_flipped_bit_is_noticed(
    where: float, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("flipped") / "0.safetensors"
    one = Checkpoint(path, ORIGIN)
    one.save(lambda: {"weights": torch.arange(30.0), "epoch": [3, 0.25], "none": None})
    content = bytearray(path.read_bytes())
    content[int(where * len(content))] ^= 1 << bit
    path.write_bytes(content)
    found = one.load()
    # Padding of the header is the one thing that means nothing.
    assert found is None or torch.equal(found["weights"], torch.arange(30.0))
    if found is not None:
        assert found["epoch"] == [3, 0.25]
        header = content[8 : 8 + int.from_bytes(content[:8], "little")]
        assert json.loads(header)


@pytest.mark.parametrize("length", [0, 1, 7, 8, 100, -1])
def test_a_checkpoint_cut_short_is_ignored(
    length: int, kept: Checkpoint, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.save(lambda: {"a": torch.ones(300)})
    kept.path.write_bytes(kept.path.read_bytes()[:length])
    assert kept.load() is None
    assert "damaged" in capsys.readouterr().err


@pytest.mark.parametrize("moment", ["save_file", "_flush", "os.replace"])
def test_a_power_cut_while_it_is_written_leaves_the_last_one(moment: str, tmp_path: Path) -> None:
    """The process kills itself half way; the next one finds what was there before, and tidies."""
    path = tmp_path / "0.safetensors"
    program = f"""
import os, signal, torch
from pathlib import Path
from hrrxml.runtime import files
from hrrxml.training.checkpoint import Checkpoint
kept = Checkpoint(Path({str(path)!r}), {ORIGIN})
kept.save(lambda: {{"a": torch.full((1000,), 1.0)}})
save = files.save_file
def half(tensors, target, metadata):
    save(tensors, target, metadata=metadata)
    os.truncate(target, 2000)
    os.kill(os.getpid(), signal.SIGKILL)
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
files.{moment} = half if {moment!r} == "save_file" else die
kept.save(lambda: {{"a": torch.full((1000,), 2.0)}})
"""
    died = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False)
    assert died.returncode == -9
    one = Checkpoint(path, ORIGIN)
    state = one.load()
    assert state is not None
    assert torch.equal(state["a"], torch.ones(1000))
    assert len(list(tmp_path.iterdir())) == 2  # with what the dead one left
    one.save(lambda: {"a": torch.zeros(1)})
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_does_not_end_training(
    kept: Checkpoint, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr(files, "save_file", full)
    kept.save(lambda: {"a": torch.ones(3)})
    assert "not written (No space left on device); training continues" in capsys.readouterr().err
    assert not kept.path.exists()


def test_weights_that_are_not_finite_are_never_kept(kept: Checkpoint) -> None:
    kept.save(lambda: {"a": torch.ones(3)})
    with pytest.raises(UserError, match="no longer finite; lower the learning rate"):
        kept.save(lambda: {"a": torch.tensor([1.0, torch.nan])})
    state = kept.load()
    assert state is not None
    assert torch.equal(state["a"], torch.ones(3))


def test_nothing_is_left_after_success(tmp_path: Path) -> None:
    seeds = [tmp_path / "kept/train/run" / f"{seed}.safetensors" for seed in range(2)]
    for path in seeds:
        Checkpoint(path, ORIGIN).save(lambda: {"a": torch.ones(3)})
    other = Checkpoint(tmp_path / "kept/train/other/0.safetensors", ORIGIN)
    other.save(lambda: {"a": torch.ones(3)})
    checkpoint.remove(seeds)
    assert not seeds[0].parent.exists()
    assert other.load() is not None
    checkpoint.remove([other.path])
    assert list(tmp_path.iterdir()) == []


def test_writing_takes_a_small_share_of_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HRRXML_CHECKPOINT_SECONDS", "0")
    now = iter([0.0, 10.0, 13.0, 13.0])  # made, begun, written
    monkeypatch.setattr(checkpoint, "monotonic", lambda: next(now))
    one = Checkpoint(tmp_path / "0.safetensors", ORIGIN)
    one.save(lambda: {})
    assert one.next == 13 + 20 * 3


values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()


@given(st.recursive(values, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_any_state_survives_json(state: Any) -> None:
    packed = json.loads(json.dumps(pack(state, {})))
    assert unpack(packed, {}) == state


def test_tensors_of_any_kind_survive() -> None:
    state = {
        "a": [torch.tensor(3), torch.ones(2, 3).T],
        "b": {"0": torch.zeros(0), "1": torch.tensor([True])},
    }
    tensors: dict[str, torch.Tensor] = {}
    found = unpack(json.loads(json.dumps(pack(state, tensors))), tensors)
    assert torch.equal(found["a"][0], torch.tensor(3))
    assert torch.equal(found["a"][1], torch.ones(3, 2))
    assert len(found["b"]["0"]) == 0
    assert found["b"]["1"].dtype == torch.bool
