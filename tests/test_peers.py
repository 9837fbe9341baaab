"""The peers learn, rank as the metrics want it, and repeat themselves where they can."""

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from helpers.points import random_points
from helpers.project import ROOT

from hrrxml import peers
from hrrxml.config import paths
from hrrxml.config.schema import Propensity
from hrrxml.data.bags import Bags
from hrrxml.data.points import SPLITS, Points, save
from hrrxml.evaluation import metrics
from hrrxml.runtime.errors import UserError
from stages import peers as stage


def separable(n_labels: int) -> Points:
    """Four points of each label, which one word of their own gives away.

    Besides, a point without features, one without labels and one without either.
    """
    labels = [label for label in range(n_labels) for _ in range(4)]
    words = [[label, n_labels + row % 3] for row, label in enumerate(labels)]
    features = Bags.from_lists([*words, [], [n_labels], []])
    return Points(
        features=Bags(features.ids, features.offsets, torch.ones(len(features.ids))),
        tokens=None,
        labels=Bags.from_lists([*([label] for label in labels), [0], [], []]),
        n_features=n_labels + 3,
        n_tokens=0,
        n_labels=n_labels,
    )


@pytest.mark.parametrize("peer", peers.PEERS)
@pytest.mark.parametrize("n_labels", [3, 120])
def test_peers_learn_separable_points_by_heart(peer: str, n_labels: int) -> None:
    points = separable(n_labels)
    ranking = peers.PEERS[peer](points, 0)(points)
    labelled = np.arange(4 * n_labels)
    assert ranking.shape == (len(points), 5)
    assert (ranking[labelled, 0] == labelled // 4).all()
    for row in ranking.tolist():
        ids = [label for label in row if label >= 0]
        assert row == ids + [-1] * (5 - len(ids))
        assert len(ids) == len(set(ids)) <= n_labels
        assert all(label < n_labels for label in ids)
    truth = points.labels.to_csr(n_labels)[labelled]
    assert metrics.precision_at_k(truth, ranking[labelled])[0] == 1


@pytest.fixture
def hard() -> Points:
    """Noise: what is drawn by chance in training shows in the ranking."""
    return random_points(300, 50, 150, torch.Generator().manual_seed(0))


@pytest.mark.parametrize("peer", ["plt", "br"])  # omikuji cannot be given a seed
def test_the_same_seed_gives_the_same_ranking(peer: str, hard: Points) -> None:
    first, other, again = (peers.PEERS[peer](hard, seed)(hard) for seed in (0, 1, 0))
    assert (first == again).all()
    assert (first != other).any()


@pytest.mark.parametrize(
    ("peer", "package"), [("plt", "napkinxc"), ("br", "napkinxc"), ("parabel", "omikuji")]
)
def test_a_missing_package_is_named(
    peer: str, package: str, hard: Points, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [name for name in sys.modules if name.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UserError, match=rf'peers need {package}: pip install -e "\.\[peers\]"'):
        peers.PEERS[peer](hard, 0)


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """A folder in which `wordnet` is prepared, with 20 labels; its training points' features."""
    monkeypatch.chdir(tmp_path)
    for split in SPLITS:
        save(separable(20), paths.points("wordnet", split))
    return len(separable(20).features.ids)


def test_the_stage_is_quiet_and_has_one_value_per_seed(
    prepared: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "params.yaml").read_text()
    chosen = f"peers: {{wordnet: [{', '.join(peers.PEERS)}]}}"
    Path("params.yaml").write_text(text.replace("peers: {}", chosen))
    monkeypatch.setattr(peers, "LARGE", prepared + 1)
    stage.main("wordnet")
    printed, progress = capfd.readouterr()
    assert re.fullmatch(r"peers: results/peers/wordnet\.json: mean P@1 plt 9\d\..*\n", printed)
    assert all("peers on wordnet" in line for line in progress.split("\r") if line.strip())
    outcome = json.loads(paths.peers("wordnet").read_text())
    assert set(outcome) == set(peers.PEERS)
    for peer, found in outcome.items():
        assert set(found) == {"metrics", "seconds"}
        assert len(found["metrics"]) == 20
        assert {len(values) for values in found["metrics"].values()} == {peers.SEEDS[peer]}
        assert len(found["seconds"]) == peers.SEEDS[peer]


def test_a_large_dataset_has_one_seed(prepared: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "LARGE", prepared)
    outcome = peers.compare("wordnet", ["plt", "br"], Propensity(a=0.55, b=1.5))
    assert list(outcome) == ["plt", "br"]
    for found in outcome.values():
        assert {len(values) for values in found["metrics"].values()} == {1}
        assert len(found["seconds"]) == 1
