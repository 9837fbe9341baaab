"""A trained model with everything that its answers need: labels, vocabulary, tail, calibration."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.estimator import network
from hrrxml.estimator.calibration import Calibration, expected_calibration_error
from hrrxml.estimator.inputs import Scaling, Texts
from hrrxml.estimator.recipe import Recipe
from hrrxml.estimator.tags import Tags
from hrrxml.evaluation import metrics
from hrrxml.heads.base import log_odds_of_counts
from hrrxml.model import Model
from hrrxml.runtime.errors import InputError

Answers = list[list[tuple[Any, float]]]
FIRST = 16  # labels to look at first, if a threshold decides how many there are


@dataclass(frozen=True)
class Fitted:
    """What training made. `counts` is how many of `n_points` training points have each label."""

    model: Model
    recipe: Recipe
    tags: Tags
    texts: Texts | None  # None: the points are rows of features
    n_features: int
    scaling: Scaling | None  # None: the points are texts
    seed: int
    counts: Tensor
    n_points: int
    tail: float = 0.0  # labels are ranked by logit − tail · log-odds
    calibration: Calibration = field(default_factory=Calibration)

    @property
    def prior(self) -> Tensor:
        """The log-odds of each label: (labels,)."""
        return log_odds_of_counts(self.counts, self.n_points)

    def with_tail(self, tail: float) -> "Fitted":
        network.set_tail(self.model, tail, self.prior)
        return replace(self, tail=tail)

    def points(
        self, features: Bags, labels: Bags | None = None, weights: Tensor | None = None
    ) -> Points:
        return network.points(features, labels, self.n_features, len(self.tags), weights)

    def extended(self, names: Sequence[Any]) -> "Fitted":
        """The same model with new labels, which get the next free codes."""
        tags = self.tags.extended(names)
        counts = torch.cat([self.counts, self.counts.new_zeros(len(names))])
        model = network.make(self.recipe, self.n_features, counts, self.n_points, self.seed)
        weights = dict(self.model.state_dict())
        # A new label starts as the rarest: at the log-odds of no point at all, it would need too
        # many examples to be seen.
        added = weights["head.bias"].min().expand(len(names))
        bias = torch.cat([weights["head.bias"], added])
        model.load_state_dict(weights | {"head.bias": bias})
        return replace(self, model=model, tags=tags, counts=counts).with_tail(self.tail)

    def search(
        self, points: Points, k: int, among: Tensor | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ids and scores of the k best labels: (points, k); padded with −1 and −∞."""
        ids = np.full((len(points), k), -1, dtype=np.int64)
        scores = np.full((len(points), k), -np.inf, dtype=np.float32)
        for rows, best, values in self.model.search(points, k, among):
            ids[rows, : best.shape[1]], scores[rows, : best.shape[1]] = best, values
        ids[np.isneginf(scores)] = -1
        return ids, scores

    def plain(self, points: Points) -> Any:
        """The labels of each point in the form of the training labels.

        With one label per point it is the best; else all labels of probability 0.5 or more.
        """
        if self.tags.form == "single":
            return self.tags.decode(list(self.search(points, 1)[0]))
        return self.tags.decode(self._above(points, 0.5, None)[0])

    def answers(
        self, points: Points, k: int | None, threshold: float | None, among: Iterable[Any] | None
    ) -> Answers:
        """Pairs (label, probability) for each point, best first."""
        if k is not None and k < 1:
            raise InputError(f"k is {k}; it must be at least 1")
        if threshold is not None and not 0 <= threshold <= 1:
            raise InputError(f"threshold is {threshold}; it is a probability, from 0 to 1")
        mask = None if among is None else self.tags.mask(among)
        if k is None and threshold is not None:
            ids, scores = self._above(points, threshold, mask)
        else:
            found = self.search(points, min(k or 5, len(self.tags)), mask)
            ids, scores = list(found[0]), list(found[1])
        return [
            self._pairs(row, values, threshold or 0)
            for row, values in zip(ids, scores, strict=True)
        ]

    def _pairs(
        self, ids: np.ndarray, scores: np.ndarray, threshold: float
    ) -> list[tuple[Any, float]]:
        kept = (ids >= 0) & (scores >= self.calibration.score_at(threshold))
        names = self.tags.names[ids[kept]].tolist()
        return list(zip(names, self.calibration(scores[kept]).tolist(), strict=True))

    def _above(
        self, points: Points, threshold: float, among: Tensor | None
    ) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """Ids and scores of all labels of at least this probability."""
        least, k = self.calibration.score_at(threshold), min(FIRST, len(self.tags))
        while True:
            ids, scores = self.search(points, k, among)
            kept = (scores >= least) & (ids >= 0)
            if k == len(self.tags) or not kept[:, -1].any():
                break
            k = min(4 * k, len(self.tags))  # some point may have more labels than these
        rows = range(len(points))
        return [ids[i, kept[i]] for i in rows], [scores[i, kept[i]] for i in rows]

    def measure(self, points: Points) -> dict[str, float]:
        """Every metric of points with labels, in percent, and the calibration errors."""
        ranking, scores = self.search(points, 5)
        truth = points.labels.to_csr(len(self.tags))
        inv_ps = metrics.inverse_propensity(self.counts.numpy(), max(3, self.n_points))
        measured = metrics.all_metrics(truth, ranking, inv_ps)
        right = hits(ranking, points.labels, len(self.tags))
        logits = scores + self.tail * np.append(self.prior.numpy(), 0)[ranking]
        before = Calibration()(logits)
        for k in (1, 5):
            after = self.calibration(scores[:, :k])
            measured[f"ECE@{k}"] = expected_calibration_error(after, right[:, :k])
            error = expected_calibration_error(before[:, :k], right[:, :k])
            measured[f"ECE@{k} before calibration"] = error
        return {name: round(value, 2) for name, value in measured.items()}


def hits(ranking: np.ndarray, labels: Bags, n_labels: int) -> np.ndarray:
    """Whether each predicted label is right: (points, k)."""
    truth: csr_matrix = labels.to_csr(n_labels)
    rows = np.broadcast_to(np.arange(len(ranking))[:, None], ranking.shape)
    found = np.asarray(truth[rows.ravel(), ranking.ravel()]).reshape(ranking.shape)
    return (found != 0) & (ranking >= 0)
