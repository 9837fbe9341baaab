"""docs/faults.md, row by row: what goes wrong is told in one line, and comes to nothing wrong."""

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest
import torch
from helpers.models import ORIGIN, build, rate, settings_for
from helpers.project import ROOT
from helpers.runs import HRR, animals
from helpers.workspace import ENVIRONMENT, Workspace
from hypothesis import given
from hypothesis import strategies as st

from hrrxml import heads, model
from hrrxml.config.schema import Params
from hrrxml.data import points as data
from hrrxml.data.points import Points
from hrrxml.runtime import command as stage
from hrrxml.runtime import files
from hrrxml.runtime.errors import UserError
from hrrxml.training import loop as training
from hrrxml.training.checkpoint import Checkpoint


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Iterator[Workspace]:
    """WordNet's animals up to a trained HRR model."""
    path = tmp_path_factory.mktemp("faults")
    workspace = animals(path, wordnet)
    for name in ("download", "prepare"):
        start_stage(workspace, name, "wordnet-animals")
    for name in ("labels", "train"):
        start_stage(workspace, name, HRR)
    yield workspace
    shutil.rmtree(path)


def start_stage(
    workspace: Workspace, name: str, item: str, limit: Callable[[], None] | None = None
) -> str:
    """What it told in a process of its own; an error is one line, and no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", f"stages.{name}", item],
        cwd=workspace.path,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert done.stderr.count("error: ") == 1, done.stderr
    return done.stdout + done.stderr


Stage = Callable[[str], str]


@pytest.fixture
def run_stage(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Stage]:
    """Runs a stage of the HRR model in this process, which has imported torch already.

    What it told; the one line of an error is what it ends with.
    """
    handler = signal.getsignal(signal.SIGTERM)  # training sets its own
    monkeypatch.chdir(workspace.path)

    def run(name: str) -> str:
        monkeypatch.setattr(sys, "argv", [name, HRR])
        capsys.readouterr()
        end = ""
        try:
            stage.run(import_module(f"stages.{name}").main)
        except SystemExit as error:
            end = str(error)
            assert end.startswith("error: ")
            assert "\n" not in end
        told = capsys.readouterr()
        return told.out + told.err + end

    yield run
    signal.signal(signal.SIGTERM, handler)


@contextmanager
def changed(path: Path, content: bytes) -> Iterator[None]:
    before = path.read_bytes()
    path.write_bytes(content)
    try:
        yield
    finally:
        path.write_bytes(before)


def test_a_disk_that_is_full(workspace: Workspace) -> None:
    """A real one, where one can be made; training goes on once there is space."""
    models = workspace.path / "models" / HRR
    before = (models / "0.safetensors").read_bytes()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(models)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("run as root, where file systems can be mounted, to test a full disk")
    try:
        told = start_stage(workspace, "train", HRR)
        assert f"error: models/{HRR}/0.safetensors: No space left on device; free some" in told
        assert not any(path.is_file() for path in models.rglob("*"))
    finally:
        subprocess.run(["umount", str(models)], check=True)
    assert "resuming from .checkpoints" in start_stage(workspace, "train", HRR)
    assert (models / "0.safetensors").read_bytes() == before


def test_a_limit_of_file_sizes(workspace: Workspace) -> None:
    path = workspace.path / "models" / HRR / "0.safetensors"
    before = path.read_bytes()
    told = start_stage(
        workspace, "train", HRR, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    )
    assert "warning: .checkpoints" in told
    assert "not written (File too large); training continues without" in told
    assert f"error: models/{HRR}/0.safetensors: File too large; raise the file size limit" in told
    assert path.read_bytes() == before


@pytest.mark.parametrize("write", ["text", "tensors"])
def test_a_folder_that_is_read_only(
    write: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)

    def main() -> None:
        if write == "text":
            files.write_text(folder / "a", "text")
        else:
            files.write_tensors(folder / "a", {"a": torch.ones(3)})

    monkeypatch.setattr(sys, "argv", ["stage"])
    with as_nobody(), pytest.raises(SystemExit, match=r"^error: .*a.*: Permission denied; make it"):
        stage.run(main)


@contextmanager
def as_nobody() -> Iterator[None]:
    """To root nothing is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_an_error_nobody_foresaw_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what a user can mend becomes one line."""

    def main() -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(sys, "argv", ["stage"])
    with pytest.raises(OSError, match="Input/output"):
        stage.run(main)


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99])
def test_prepared_data_cut_short(workspace: Workspace, run_stage: Stage, share: float) -> None:
    path = workspace.path / "data/prepared/wordnet-animals-train.safetensors"
    content = path.read_bytes()
    with changed(path, content[: int(share * len(content))]):
        told = run_stage("train")
    assert "error: data/prepared/wordnet-animals-train.safetensors: damaged" in told
    assert "delete it and `dvc repro`" in told


def test_a_flipped_bit_of_prepared_data(workspace: Workspace, run_stage: Stage) -> None:
    path = workspace.path / "data/prepared/wordnet-animals-train.safetensors"
    content = bytearray(path.read_bytes())
    content[-3] ^= 4  # of a weight: a number like any other
    with changed(path, bytes(content)):
        told = run_stage("train")
    assert "wordnet-animals-train.safetensors: damaged (its checksum differs)" in told


@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_flipped_bit_is_refused_or_means_nothing(
    where: float, bit: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("flipped") / "tensors"
    tensors = {"a": torch.arange(20), "b": torch.rand(3, generator=torch.Generator())}
    files.write_tensors(path, tensors, labels="these")
    content = bytearray(path.read_bytes())
    content[int(where * len(content))] ^= 1 << bit
    path.write_bytes(content)
    try:
        found, facts = files.read_tensors_and_facts(path)
    except UserError:
        return
    assert facts["labels"] == "these"
    assert {name: tensor.tolist() for name, tensor in found.items()} == {
        name: tensor.tolist() for name, tensor in tensors.items()
    }


def test_a_model_of_another_version(
    settings: Params,
    corpus: Points,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network, path = build(settings, corpus, "absolute"), tmp_path / "model"
    with monkeypatch.context() as earlier:
        earlier.setattr(files, "FORMAT", files.FORMAT - 1)
        files.write_tensors(path, network.state_dict(), labels="these")
    with pytest.raises(UserError, match="model: written by another version of hrrxml; delete it"):
        model.load_weights(network, path, "these")
    files.save_file(network.state_dict(), path)  # without a word about itself
    with pytest.raises(UserError, match="model: written by another version of hrrxml; delete it"):
        model.load_weights(network, path, "these")


def test_a_model_with_another_codebook(workspace: Workspace, run_stage: Stage) -> None:
    """Of the same shape: only the numbers are others, and every label would be a stranger."""
    labels = workspace.path / "data/labels" / HRR / "0.safetensors"
    tables, facts = files.read_tensors_and_facts(labels)
    before = labels.read_bytes()
    tables["bases"] = tables["bases"].roll(1, 1)
    files.write_tensors(labels, tables, n_labels=facts["n_labels"])
    told = run_stage("evaluate")
    assert f"error: models/{HRR}/0.safetensors: trained with other label vectors" in told
    labels.write_bytes(before)
    assert "evaluate: " in run_stage("evaluate")


def test_a_loss_that_is_not_finite(
    settings: Params,
    corpus: Points,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Training stops at once and says where; the last checkpoint is one that can be used."""
    monkeypatch.setenv("HRRXML_CHECKPOINT_SECONDS", "0")
    monkeypatch.setattr("hrrxml.training.checkpoint.MIN_TRAINING_RATIO", 0)
    kept = Checkpoint(tmp_path / "0.safetensors", ORIGIN)
    network = build(settings, corpus, "bce")
    with pytest.raises(UserError, match=r"lower the learning rate"):
        training.fit(network, corpus, {"v": corpus}, settings_for(9), rate(1e37, 1), 0, kept)
    state = kept.load()
    assert state is not None
    assert all(value.isfinite().all() for value in state["steps"]["model"].values())


def test_labels_outside_the_codebook(workspace: Workspace, run_stage: Stage) -> None:
    labels = workspace.path / "data/labels" / HRR / "0.safetensors"
    tables = files.read_tensors(labels)
    before = labels.read_bytes()
    files.write_tensors(labels, tables, n_labels=377)
    told = run_stage("train")
    assert f"error: data/labels/{HRR}/0.safetensors: made for 377 labels, but the points" in told
    labels.write_bytes(before)


@pytest.mark.parametrize("split", ["train", "validation"])
def test_an_empty_split(workspace: Workspace, run_stage: Stage, split: str) -> None:
    path = workspace.path / f"data/prepared/wordnet-animals-{split}.safetensors"
    nothing = data.load(path).select(torch.empty(0, dtype=torch.int64))
    before = path.read_bytes()
    data.save(nothing, path)
    told = run_stage("train")
    assert f"wordnet-animals-{split}.safetensors: the split has no points; give it a larger" in told
    path.write_bytes(before)


@pytest.mark.parametrize("loss", ["absolute", "holographic", "glas"])
def test_more_dimensions_than_labels(
    settings: Params,
    corpus: Points,
    loss: str,
) -> None:
    """64 for 12 labels: as right as any, if not small."""
    network = build(settings, corpus, loss)
    _, curve = training.fit(network, corpus, {"train": corpus}, settings_for(40), rate(), 0)
    assert max(row.p1["train"] for row in curve) == 100


def test_more_dimensions_than_labels_are_told(workspace: Workspace, run_stage: Stage) -> None:
    workspace.edit("params.yaml", "dim: 300", "dim: 379")
    told = run_stage("labels")
    assert "note: hrr.dim 379 is larger than the number of labels" in told
    workspace.edit("params.yaml", "dim: 379", "dim: 300")
    assert "note" not in run_stage("labels")


def test_a_limit_of_memory(workspace: Workspace) -> None:
    """20 GB of weights where 16 GB of address space are all there is."""
    workspace.edit("params.yaml", "hidden: 512", "hidden: 2400000")
    limit = 16 * 2**30
    told = start_stage(
        workspace, "train", HRR, lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    )
    assert "error: out of memory" in told
    assert "lower train.batch_size, the head's dim or the encoder's hidden size" in told
    workspace.edit("params.yaml", "hidden: 2400000", "hidden: 512")


def test_every_row_of_the_table_has_its_test() -> None:
    """And every test that is named there exists."""
    table = (ROOT / "docs/faults.md").read_text()
    named = {word.strip("`") for word in table.split() if word.startswith("`test_")}
    assert len(named) > 12
    for name in named:
        file, _, test = name.partition("::")
        text = (ROOT / "tests" / file).read_text()
        assert not test or f"def {test}(" in text, name


def test_tables_of_nothing_known_are_refused(tmp_path: Path) -> None:
    files.write_tensors(tmp_path / "labels", {"prior": torch.ones(3)})
    with pytest.raises(UserError, match="for None labels"):
        heads.load_tables(tmp_path / "labels", 3)
