"""What is recorded point by point gives back the metrics that were computed from the rankings."""

import numpy as np
import pytest
import torch
from helpers.models import build
from scipy.sparse import csr_matrix

from hrrxml.config.schema import Params
from hrrxml.data.points import Points
from hrrxml.evaluation import metrics, outcomes
from hrrxml.evaluation.threshold import precision_and_recall
from papers import outcomes as recorded


@pytest.fixture
def ranked() -> tuple[csr_matrix, list[np.ndarray], np.ndarray]:
    """Labels of 40 points, two rankings of them, and inverse propensities."""
    rng = np.random.default_rng(0)
    truth = csr_matrix((rng.random((40, 12)) < 0.2).astype(np.float32))
    rankings = [np.argsort(rng.random((40, 12)), axis=1)[:, :5] for _ in range(2)]
    return truth, rankings, (1 + 9 * rng.random(12))


def test_outcomes_give_back_precision_and_propensity_scored_precision(
    ranked: tuple[csr_matrix, list[np.ndarray], np.ndarray],
) -> None:
    truth, rankings, inv_ps = ranked
    packed = {name: t.numpy() for name, t in outcomes.pack(truth, rankings, inv_ps).items()}
    for k in range(1, 6):
        expected = [100 * metrics.precision_at_k(truth, ranking, k)[-1] for ranking in rankings]
        found = recorded.by_point(packed, f"P@{k}", expected[0])
        assert found is not None
        assert found.mean(1) == pytest.approx(expected)
    expected = [100 * metrics.psprecision_at_k(truth, r, inv_ps, 1)[0] for r in rankings]
    found = recorded.by_point(packed, "PSP@1", expected[0])
    assert found is not None
    assert found.mean(1) == pytest.approx(expected, rel=1e-3)  # gains are stored as float16
    assert recorded.by_point(packed, "PSP@5", 1.0) is None


def test_recorded_outcomes_are_those_of_the_records() -> None:
    """Each run's P@1 and P@5 follow from its outcomes, for every seed."""
    from papers import records

    names = [path.stem for path in (recorded.FOLDER / "outcomes").glob("*.npz")]
    assert names
    for name in names:
        found, metric = recorded.read(name), records.read("runs", name)["metrics"]
        assert found is not None
        for at in ("P@1", "P@5"):
            by_point = recorded.by_point(found, at, metric[at][0])
            assert by_point is not None
            assert by_point.mean(1) == pytest.approx(metric[at], abs=0.006), (name, at)


def test_writing_outcomes_twice_gives_the_same_bytes(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FOLDER", tmp_path)
    first = {"hits": np.arange(6, dtype=np.uint8).reshape(2, 3)}
    recorded.write("a", first)
    before = recorded.path("a").read_bytes()
    recorded.write("a", first)
    assert recorded.path("a").read_bytes() == before
    read = recorded.read("a")
    assert read is not None
    np.testing.assert_array_equal(read["hits"], first["hits"])
    assert recorded.read("b") is None


@pytest.mark.parametrize("threshold", [-1.0, 0.0, 0.3, 2.0])
def test_precision_and_recall_at_a_threshold(
    settings: Params, points: Points, threshold: float
) -> None:
    model = build(settings, points, "absolute")
    with torch.no_grad():
        scores = model.scores(points)
    truth = torch.from_numpy(points.labels.to_csr(points.n_labels).toarray()) > 0
    reached = scores >= threshold
    right = int((reached & truth).sum())
    found = precision_and_recall(model, points, threshold)
    assert found["precision"] == pytest.approx(100 * right / max(1, int(reached.sum())), abs=0.006)
    assert found["recall"] == pytest.approx(100 * right / int(truth.sum()), abs=0.006)
    assert found["per_point"] == pytest.approx(int(reached.sum()) / len(points), abs=0.006)
