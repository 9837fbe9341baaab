"""A trained model with everything that its answers need: labels, vocabulary, tail, calibration."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.estimator import checks, explanation, network
from hrrxml.estimator.calibration import Calibration, expected_calibration_error
from hrrxml.estimator.inputs import Scaling, Texts
from hrrxml.estimator.origin import Origin
from hrrxml.estimator.recipe import Recipe
from hrrxml.estimator.seen import Seen
from hrrxml.estimator.tags import Tags
from hrrxml.evaluation import metrics
from hrrxml.heads.base import log_odds_of_counts
from hrrxml.model import Model
from hrrxml.runtime.errors import InputError

Answers = list[list[tuple[Any, float]]]
FIRST = 16  # labels to look at first, if a threshold decides how many there are
AT_ONCE = 2**22  # scores to hold at once, if a threshold decides


@dataclass(frozen=True)
class Fitted:
    """What training made."""

    model: Model
    recipe: Recipe
    tags: Tags
    texts: Texts | None  # None: the points are rows of features
    n_features: int
    scaling: Scaling | None  # None: the points are texts
    seed: int
    seen: Seen  # the training points
    origin: Origin  # the library that trained it
    tail: float = 0.0  # labels are ranked by logit − tail · log-odds
    calibration: Calibration = field(default_factory=Calibration)

    @property
    def prior(self) -> Tensor:
        """The log-odds of each label: (labels,)."""
        return log_odds_of_counts(self.seen.counts, self.seen.n_points)

    @cached_property
    def lengths(self) -> Tensor:
        """The length of each label's feature weights, by which neighbours are found: (labels,)."""
        return explanation.lengths(self.model)

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
        seen = self.seen.with_labels(len(names))
        model = network.make(self.recipe, seen, self.seed)
        weights = dict(self.model.state_dict())
        # A new label starts as the rarest: at the log-odds of no point at all, it would need too
        # many examples to be seen.
        added = weights["head.bias"].min().expand(len(names))
        bias = torch.cat([weights["head.bias"], added])
        model.load_state_dict(weights | {"head.bias": bias})
        model.to(self.model.device)
        return replace(self, model=model, tags=tags, seen=seen).with_tail(self.tail)

    def search(
        self, points: Points, k: int, among: Tensor | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ids and scores of the k best labels: (points, k); padded with −1 and −∞."""
        ids = np.full((len(points), k), -1, dtype=np.int64)
        scores = np.full((len(points), k), -np.inf, dtype=np.float32)
        if len(points) == 0:
            return ids, scores
        among = None if among is None else among.to(self.model.device)
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
        return self.tags.decode([ids for ids, _ in self._above(points, 0.5, None)])

    def answers(
        self, points: Points, k: int | None, threshold: float | None, among: Iterable[Any] | None
    ) -> Answers:
        """Pairs (label, probability) for each point, best first."""
        k = None if k is None else checks.whole("k", k, 1)
        least = 0.0 if threshold is None else checks.number("threshold", threshold)
        if not 0 <= least <= 1:
            raise InputError(f"threshold is {threshold}; it is a probability, from 0 to 1")
        mask = None if among is None else self.tags.mask(among)
        if k is None and threshold is not None:
            return [self._pairs(*row) for row in self._above(points, least, mask)]
        ids, chances = self._chances(points, min(k or 5, len(self.tags)), mask)
        kept = (chances >= least) & (ids >= 0)
        return [self._pairs(ids[i, kept[i]], chances[i, kept[i]]) for i in range(len(points))]

    def _chances(
        self, points: Points, k: int, among: Tensor | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Ids and probabilities of the k best labels: (points, k).

        A probability depends on the best score of all labels, whatever `among` leaves.
        """
        ids, scores = self.search(points, k, among)
        best = scores[:, :1] if among is None else self.search(points, 1)[1]
        return ids, self.calibration(scores, best)

    def _pairs(self, ids: np.ndarray, chances: np.ndarray) -> list[tuple[Any, float]]:
        return list(zip(self.tags.names[ids].tolist(), chances.tolist(), strict=True))

    def _above(
        self, points: Points, threshold: float, among: Tensor | None
    ) -> list[tuple[np.ndarray, np.ndarray]]:
        """For each point: ids and probabilities of all labels of at least this probability."""
        found = [(np.empty(0, np.int64), np.empty(0))] * len(points)
        rows, k = torch.arange(len(points)), min(FIRST, len(self.tags))
        while len(rows):
            unfinished = []  # points that may have more labels than k
            for part in rows.split(max(1, AT_ONCE // k)):
                ids, chances = self._chances(points.select(part), k, among)
                kept = (chances >= threshold) & (ids >= 0)
                for i, row in enumerate(part.tolist()):
                    found[row] = ids[i, kept[i]], chances[i, kept[i]]
                unfinished.append(part[torch.from_numpy(kept[:, -1])])
            if k == len(self.tags):
                break
            rows, k = torch.cat(unfinished), min(4 * k, len(self.tags))
        return found

    def measure(self, points: Points, truth: csr_matrix) -> dict[str, float]:
        """Every metric in percent, and the calibration errors, with and without calibration.

        `truth` is the indicator matrix of the points. It may have more columns than the model has
        labels: these labels are missed.
        """
        ranking, scores = self.search(points, 5)
        counts = np.pad(self.seen.counts.numpy(), (0, truth.shape[1] - len(self.tags)))
        inv_ps = metrics.inverse_propensity(counts, max(3, self.seen.n_points))
        measured = metrics.all_metrics(truth, ranking, inv_ps)
        shown, right = ranking >= 0, hits(ranking, truth)
        logits = scores + self.tail * np.append(self.prior.numpy(), 0)[ranking]
        chances = {
            "": self.calibration(scores, scores[:, :1]),
            " before calibration": Calibration()(logits, logits[:, :1]),
        }
        for name, values in chances.items():
            for k in (1, 5):
                first = shown[:, :k]  # a model of fewer labels than k has less to show
                error = expected_calibration_error(values[:, :k][first], right[:, :k][first])
                measured[f"ECE@{k}{name}"] = error
        return {name: round(value, 2) for name, value in measured.items()}


def hits(ranking: np.ndarray, truth: csr_matrix) -> np.ndarray:
    """Whether each predicted label is right: (points, k)."""
    rows = np.broadcast_to(np.arange(len(ranking))[:, None], ranking.shape)
    found = np.asarray(truth[rows.ravel(), ranking.ravel()]).reshape(ranking.shape)
    return (found != 0) & (ranking >= 0)
