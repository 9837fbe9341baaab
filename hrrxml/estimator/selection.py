"""Choices that held-out points decide: the epoch, and how far to favour rare labels."""

import numpy as np
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.estimator import network
from hrrxml.estimator.recipe import Recipe
from hrrxml.evaluation.metrics import ndcg_at_k
from hrrxml.model import Model
from hrrxml.training.loop import Epoch, fit

TAILS = tuple(round(0.1 * i, 1) for i in range(11))
LOOKED_AT = 100  # labels of each point: those that are best with a tail in the middle


def train(
    model: Model, recipe: Recipe, train: Points, held_out: Points | None, prior: Tensor, seed: int
) -> list[Epoch]:
    """Train, and keep the epoch that ranks the held-out points best. Returns the curve.

    Each epoch is judged with the tail that suits it best: with one tail for all, epochs would
    be compared by how well that tail fits them.
    """

    def judge(model: Model, points: Points) -> float:
        return max(by_tail(model, points, prior))

    ranked = {} if held_out is None else {"held_out": held_out}
    weights, curve = fit(model, train, ranked, recipe.train(seed), recipe.head(), seed, judge=judge)
    model.load_state_dict(weights)
    return curve


def choose_tail(model: Model, held_out: Points, prior: Tensor) -> float:
    """The share of the log-odds to subtract that ranks the held-out points best."""
    return TAILS[int(np.argmax(by_tail(model, held_out, prior)))]


def by_tail(model: Model, points: Points, prior: Tensor) -> list[float]:
    """nDCG@5 in percent, for each tail.

    One search is enough: the tails only change the order of the labels that it finds.
    """
    middle, log_odds = TAILS[len(TAILS) // 2], prior.numpy()
    network.set_tail(model, middle, prior)
    truth, totals = points.labels.to_csr(points.n_labels), np.zeros(len(TAILS))
    for rows, ids, scores in model.search(points, LOOKED_AT):
        best = ids.numpy()
        logits = scores.numpy() + middle * log_odds[best]
        for place, tail in enumerate(TAILS):
            order = np.argsort(tail * log_odds[best] - logits, axis=1, kind="stable")[:, :5]
            ranking = np.take_along_axis(best, order, axis=1)
            quality = ndcg_at_k(truth[rows.numpy()], ranking, ranking.shape[1])[-1]
            totals[place] += len(rows) * quality
    network.set_tail(model, 0.0, prior)
    return (100 * totals / len(points)).tolist()
