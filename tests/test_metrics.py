"""The metrics are napkinXC's, on rankings and on scores, sparse and dense."""

import napkinxc.metrics as oracle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from hrrxml.evaluation import metrics

K = 5


def check(Y_true: csr_matrix, ranking: np.ndarray) -> None:
    inv_ps = metrics.Jain_et_al_inverse_propensity(Y_true)
    np.testing.assert_allclose(inv_ps, oracle.Jain_et_al_inverse_propensity(Y_true))
    lists = [[label for label in row if label >= 0] for row in ranking.tolist()]
    for ours, theirs, weights in [
        (metrics.precision_at_k, oracle.precision_at_k, ()),
        (metrics.ndcg_at_k, oracle.ndcg_at_k, ()),
        (metrics.psprecision_at_k, oracle.psprecision_at_k, (inv_ps,)),
        (metrics.psndcg_at_k, oracle.psndcg_at_k, (inv_ps,)),
    ]:
        expected = theirs(Y_true, lists, *weights, k=K)
        for form in (Y_true, Y_true.toarray()):
            np.testing.assert_allclose(ours(form, ranking, *weights, k=K), expected)


def random_truth(rng: np.random.Generator, points: int, labels: int) -> csr_matrix:
    truth = rng.random((points, labels)) < rng.random(labels) * 0.5
    truth[0] = False  # a point without labels
    truth[-1, 0] = True  # and at least one with
    return csr_matrix(truth.astype(float))


@given(st.integers(0, 2**31), st.integers(2, 30), st.integers(K, 40))
def test_metrics_of_any_ranking_agree_with_napkinxc(seed: int, points: int, labels: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_truth(rng, points, labels)
    check(truth, metrics.rank(rng.random((points, labels)), K))


@given(st.integers(0, 2**31), st.integers(2, 30), st.integers(2, 40))
def test_scores_with_ties_and_few_predictions(seed: int, points: int, labels: int) -> None:
    rng = np.random.default_rng(seed)
    truth = random_truth(rng, points, labels)
    dense = rng.integers(1, 4, (points, labels)).astype(float)
    # napkinXC leaves the order of ties to numpy; a nudge by id makes it say what ours does.
    nudged = dense - 1e-6 * np.arange(labels)
    predicted = rng.random((points, labels)) < 0.3
    for scores, theirs in [
        (dense, nudged),
        (csr_matrix(dense * predicted), csr_matrix(nudged * predicted)),
    ]:
        ranking = metrics.rank(scores, K)
        expected = oracle.precision_at_k(truth, theirs, k=K)
        np.testing.assert_allclose(metrics.precision_at_k(truth, ranking, K), expected)
        check(truth, ranking)


def test_a_stored_zero_is_no_label() -> None:
    truth = csr_matrix(np.ones((2, 3)))
    truth.data[:3] = 0  # the first point's
    ranking = np.array([[0, 1, 2], [0, 1, 2]])
    np.testing.assert_allclose(metrics.ndcg_at_k(truth, ranking, 1), [0.5])
    np.testing.assert_allclose(metrics.psprecision_at_k(truth, ranking, np.ones(3), 1), [1])


def test_metrics_of_a_small_example_are_as_counted_by_hand() -> None:
    truth = csr_matrix(np.array([[1, 0, 1, 0], [0, 1, 0, 0]]))
    ranking = np.array([[0, 1, 2], [3, 1, 0]])
    np.testing.assert_allclose(metrics.precision_at_k(truth, ranking, 3), [1 / 2, 1 / 2, 1 / 2])
    weights = np.array([1.0, 2.0, 3.0, 4.0])
    # Best first labels: 3 and 2; ours: 1 and 0.
    np.testing.assert_allclose(metrics.psprecision_at_k(truth, ranking, weights, 1), [1 / 5])


def test_all_metrics_names_and_percent() -> None:
    truth = csr_matrix(np.eye(6))
    perfect = np.array([[i, *({0, 1, 2, 3, 4, 5} - {i})][:5] for i in range(6)])
    found = metrics.all_metrics(truth, perfect, np.ones(6))
    assert found["P@1"] == found["PSP@1"] == found["nDCG@5"] == found["PSnDCG@5"] == 100
    assert found["P@5"] == pytest.approx(20)
    assert len(found) == 20


@pytest.mark.parametrize(
    ("ranking", "message"),
    [
        (np.zeros((2, 5), int), "2 predictions for 3 points"),
        (np.zeros((3, 4), int), "too few for k = 5"),
        (np.full((3, 5), 9), "label 9 predicted"),
    ],
)
def test_an_impossible_ranking_is_refused(ranking: np.ndarray, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metrics.precision_at_k(csr_matrix(np.eye(3)), ranking, 5)
