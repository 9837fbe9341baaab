"""A part of one's own is a new file: nothing else is edited, and nothing is trained again."""

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.runs import DATASET, FC, HRR, animals, shrink
from helpers.workspace import Workspace

TOY, TOY_CODEBOOK = f"{DATASET}-toy", f"{DATASET}-toy-codebook"

HEAD = '''"""One logit per label, times a number."""

import torch.nn.functional as F

from hrrxml.config.section import Positive
from hrrxml.heads import base
from hrrxml.layers.output import Output


class Settings(base.Settings):
    sharpness: Positive


class Head(base.Head):
    @staticmethod
    def tables(settings, train, generator):
        return {"prior": base.log_odds(train)}

    def __init__(self, settings, width, n_features, tables):
        super().__init__(settings, width, n_features, tables)
        self.sharpness = settings.sharpness
        self.output = Output(width, len(tables["prior"]), n_features, settings.shortcut is not None)

    def scores(self, encoded, batch):
        return self.sharpness * self.outputs(encoded, batch)

    def loss(self, encoded, batch):
        logits = self.scores(encoded, batch)
        present = logits.new_zeros(logits.shape)
        present[batch.labels.rows, batch.labels.ids] = 1
        total = F.binary_cross_entropy_with_logits(logits, present, reduction="sum")
        return total / len(batch)
'''

ENCODER = '''"""The sum of the vectors of a point's features."""

from torch import nn

from hrrxml.config.section import Count, Section
from hrrxml.encoders import base
from hrrxml.layers.sparse_linear import SparseLinear


class Settings(Section):
    width: Count


class Encoder(base.Encoder):
    def __init__(self, settings, points, vectors):
        super().__init__()
        self.width = settings.width
        self.features = SparseLinear(points.n_features, settings.width)
        nn.init.normal_(self.features.weight, std=0.1)

    def forward(self, batch):
        return self.features(batch.features)

    def sparse_parameters(self):
        return [self.features.weight]
'''

CODEBOOK = '''"""As random, with vectors that are turned round."""

from hrrxml.codebook import random


class Codebook(random.Codebook):
    @staticmethod
    def tables(n_labels, d, *, unitary, generator):
        tables = random.Codebook.tables(n_labels, d, unitary=unitary, generator=generator)
        return {"vectors": -tables["vectors"]}
'''

ALGEBRA = '''"""As MAP-C, under another name."""

from hrrxml.vsa.mapc import bind, bundle, identity, inverse, random, unbind

__all__ = ["bind", "bundle", "identity", "inverse", "random", "unbind"]
'''

SECTIONS = """
bag:
  width: 64

toy:
  learning_rate: 1.0e-2
  decay: 0.8
  shortcut:
  sharpness: 2.0
"""


def run(name: str, encoder: str, head: str, settings: str = "{}") -> str:
    return (
        f"  {name}: {{dataset: {DATASET}, encoder: {encoder}, head: {head}, settings: {settings}}}"
    )


def of(name: str) -> list[str]:
    return [f"{stage}@{name}" for stage in ("labels", "train", "evaluate")]


def stale(workspace: Workspace) -> list[str]:
    """What `dvc repro evaluate` would run; the report and the experiments are left out."""
    return workspace.stages_run("repro", "--dry", "evaluate")


def p1(workspace: Workspace, name: str) -> float:
    outcome = json.loads((workspace.path / f"results/runs/{name}.json").read_text())
    return float(outcome["metrics"]["P@1"][0])


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Iterator[Workspace]:
    """Two runs, both trained, with their results committed."""

    def two_runs(params: dict[str, Any]) -> None:
        shrink(params)
        params["runs"] = {name: params["runs"][name] for name in (FC, HRR)}
        params["overfitting"] = {}
        params["train"]["epochs"] = 2

    path = tmp_path_factory.mktemp("extended")
    workspace = animals(path, wordnet, two_runs)
    workspace.run("dvc", "repro", "evaluate")
    workspace.commit()
    assert stale(workspace) == []
    yield workspace
    shutil.rmtree(path)


UNRELATED = ["papers", "benchmarks", "docs", "hrrxml/heads/glas.py", "hrrxml/encoders/lstm.py"]


@pytest.mark.parametrize("place", UNRELATED)
def test_an_edit_elsewhere_makes_no_training_stale(workspace: Workspace, place: str) -> None:
    """In a folder: of every file."""
    edited = workspace.run("git", "ls-files", place).split()
    before = {path: (workspace.path / path).read_bytes() for path in edited}
    assert before
    for path, content in before.items():
        (workspace.path / path).write_bytes(content + b"\n# an edit\n")
    assert stale(workspace) == []
    for path, content in before.items():
        (workspace.path / path).write_bytes(content)


def test_an_edit_of_a_head_makes_its_own_runs_stale(workspace: Workspace) -> None:
    """The control: an edit is noticed where it matters."""
    path = workspace.path / "hrrxml/heads/hrr.py"
    before = path.read_text()
    path.write_text(before + "# an edit\n")
    assert sorted(stale(workspace)) == sorted(of(HRR))
    path.write_text(before)


def test_a_new_head_and_a_new_encoder_train_with_nothing_else_touched(
    workspace: Workspace,
) -> None:
    (workspace.path / "hrrxml/heads/toy.py").write_text(HEAD)
    (workspace.path / "hrrxml/encoders/bag.py").write_text(ENCODER)
    params = workspace.path / "params.yaml"
    params.write_text(params.read_text() + SECTIONS)
    assert stale(workspace) == []  # neither the files nor their sections concern another run
    workspace.edit("params.yaml", "\nruns:\n", f"\nruns:\n{run(TOY, 'bag', 'toy')}\n")
    assert workspace.stages_run("repro", "evaluate") == of(TOY)  # of all runs, this one alone
    assert p1(workspace, TOY) > 20
    assert stale(workspace) == []
    changed = workspace.run("git", "status", "--short", "hrrxml", "stages", "dvc.yaml")
    assert changed.split() == ["??", "hrrxml/encoders/bag.py", "??", "hrrxml/heads/toy.py"]


def test_a_new_codebook_is_used_by_its_name(workspace: Workspace) -> None:
    (workspace.path / "hrrxml/codebook/toy.py").write_text(CODEBOOK)
    entry = run(TOY_CODEBOOK, "fc", "hrr", "{hrr: {codebook: toy}}")
    workspace.edit("params.yaml", "\nruns:\n", f"\nruns:\n{entry}\n")
    assert workspace.stages_run("repro", f"evaluate@{TOY_CODEBOOK}") == of(TOY_CODEBOOK)
    assert p1(workspace, TOY_CODEBOOK) > 20


def test_a_misspelt_part_is_answered_with_all_there_are(workspace: Workspace) -> None:
    workspace.edit("params.yaml", "codebook: toy", "codebook: toi")
    told = workspace.run("dvc", "repro", f"labels@{TOY_CODEBOOK}", fails=True)
    assert "hrr.codebook: no 'toi' in codebook; there are circulant, learned, random, toy" in told
    assert "Traceback" not in told
    workspace.edit("params.yaml", "codebook: toi", "codebook: toy")


def test_a_new_algebra_is_found(workspace: Workspace) -> None:
    (workspace.path / "hrrxml/vsa/toy.py").write_text(ALGEBRA)
    program = "from hrrxml import vsa; print(*vsa.names(), vsa.get('toy').identity(3).tolist())"
    told = workspace.run(sys.executable, "-c", program)
    assert "toy" in told.split()
    assert "[1.0, 1.0, 1.0]" in told
