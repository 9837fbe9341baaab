"""Labels by their number of training points: rated as brute force and other libraries rate them."""

from dataclasses import replace

import napkinxc.metrics as oracle
import numpy as np
import pytest
import torch
from helpers import models
from helpers.points import random_points
from helpers.project import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from sklearn.metrics import f1_score, ndcg_score

from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.evaluation import frequency, metrics

LABELS, FEW = 12, 8


def random_case(seed: int, points: int, labels: int) -> tuple[np.ndarray, np.ndarray]:
    """Truth and scores of which some are equal: (points, labels) each."""
    rng = np.random.default_rng(seed)
    truth = rng.random((points, labels)) < rng.random(labels) * 0.6
    truth[-1, 0] = True
    return truth, rng.integers(0, 9, (points, labels)) / 8


SEEDS, SIZES = st.integers(0, 2**31), st.integers(2, 20)


@given(SEEDS, SIZES, st.integers(5, 20))
@settings(max_examples=30)
def test_recall_is_napkinxcs(seed: int, points: int, labels: int) -> None:
    truth, scores = random_case(seed, points, labels)
    ranking = metrics.rank(scores, 5)
    recall = metrics.recall_at_k(truth, ranking)
    np.testing.assert_allclose(recall, oracle.recall_at_k(csr_matrix(truth), ranking.tolist(), k=5))
    rprecision = metrics.rprecision_at_k(truth, ranking)
    labelled = truth.any(1).mean()
    assert (rprecision >= recall - 1e-12).all()
    assert (rprecision <= labelled + 1e-12).all()


def test_rprecision_by_hand() -> None:
    truth = csr_matrix(np.array([[1, 1, 1, 0], [0, 1, 0, 0]]))
    ranking = np.array([[0, 3, 1], [3, 1, 0]])
    np.testing.assert_allclose(metrics.rprecision_at_k(truth, ranking, 3), [1 / 2, 3 / 4, 5 / 6])


@given(SEEDS, SIZES, SIZES)
@settings(max_examples=25)
def test_the_threshold_has_the_best_f1_of_all(seed: int, points: int, labels: int) -> None:
    """F1 is scikit-learn's, and every score was tried."""
    truth, scores = random_case(seed, points, labels)
    ids = metrics.rank(scores, labels)
    ranked = np.take_along_axis(scores, ids, axis=1)
    threshold = frequency.best_threshold(csr_matrix(truth), ids, ranked)
    f1 = frequency.micro_f1(csr_matrix(truth), ids, ranked >= threshold)
    tried = [f1_score(truth, scores >= s, average="micro", zero_division=0) for s in {*scores.flat}]
    assert f1 == pytest.approx(max(tried))
    assert f1 == pytest.approx(f1_score(truth, scores >= threshold, average="micro"))


@pytest.fixture
def registered() -> Params:
    """The committed params.yaml."""
    return params.load(ROOT / "params.yaml")


@pytest.fixture
def splits(generator: torch.Generator) -> dict[str, Points]:
    """The last two labels have no training point, and the first three at most `FEW`.

    Test points have more labels than are ranked, at which recall and R-precision differ.
    """
    train, validation, test = (random_points(60, 30, LABELS, generator) for _ in range(3))
    bound = {0: 3, 1: 3, 2: 8, LABELS - 1: 0, LABELS - 2: 0}
    kept: dict[int, int] = {}
    lists = []
    for row in train.labels.ids.tensor_split(train.labels.offsets[1:-1]):
        for label in row.tolist():
            kept[label] = kept.get(label, 0) + 1
        lists.append([i for i in row.tolist() if kept[i] <= bound.get(i, 60)])
    labels = Bags.from_lists(lists)
    rare = Points(train.features, train.tokens, labels, 30, 30, LABELS)
    given = (torch.rand(60, LABELS, generator=generator) < 0.6).tolist()
    many = Bags.from_lists([[i for i in range(LABELS) if row[i]] for row in given])
    return {"train": rare, "validation": validation, "test": replace(test, labels=many)}


def best(scores: np.ndarray, most: int) -> np.ndarray:
    """Whether a score is among the best `most` of its row."""
    return scores >= np.sort(scores, axis=1)[:, ::-1][:, :most][:, -1:]


@pytest.mark.parametrize("most", [50, 5])  # more than there are labels, and fewer
@pytest.mark.parametrize("head", models.ALL_HEADS)
def test_groups_are_rated_as_by_brute_force(
    head: str,
    most: int,
    splits: dict[str, Points],
    registered: Params,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(frequency, "MOST", most)
    network = models.build(registered, splits["train"], head)
    found = frequency.by_group(network, splits, FEW)
    counts = np.asarray(splits["train"].labels.to_csr(LABELS).sum(0)).ravel()
    scores, truth = {}, {}
    for split in ("validation", "test"):
        truth[split] = splits[split].labels.to_csr(LABELS).toarray() > 0
        with torch.no_grad():
            scores[split] = network.eval().scores(splits[split]).numpy()
    allowed = best(scores["validation"], most)
    cuts = scores["validation"][allowed]
    predicted = [allowed & (scores["validation"] >= cut) for cut in cuts]
    cut = cuts[np.argmax([f1(truth["validation"], each) for each in predicted])]
    groups = {
        "all": counts >= 0,
        "frequent": counts > FEW,
        "few": (counts > 0) & (counts <= FEW),
        "zero": counts == 0,
    }
    assert {name: rated["labels"] for name, rated in found.items()} == {
        "all": 12, "frequent": 6, "few": 4, "zero": 2,
    }  # fmt: skip
    for name, among in groups.items():
        right, given_scores = truth["test"][:, among], scores["test"][:, among]
        rows = right.any(1)
        hits = (right & best(given_scores, 5))[rows].sum(1)
        sizes = right[rows].sum(1)
        expected = {
            "R@5": np.mean(hits / sizes),
            "RP@5": np.mean(hits / np.minimum(5, sizes)),
            "nDCG@5": ndcg_score(right[rows], given_scores[rows], k=5),
            "F1": f1(right, best(given_scores, most) & (given_scores >= cut)),
        }
        for metric, value in expected.items():
            assert found[name][metric] == pytest.approx(100 * value, abs=0.006), (name, metric)
        assert found[name]["points"] == rows.sum()


def f1(truth: np.ndarray, predicted: np.ndarray) -> float:
    return float(f1_score(truth, predicted, average="micro", zero_division=0))


def test_a_group_without_labels_is_left_out(splits: dict[str, Points], registered: Params) -> None:
    network = models.build(registered, splits["train"], "bce")
    assert set(frequency.by_group(network, splits, few=60)) == {"all", "few", "zero"}
