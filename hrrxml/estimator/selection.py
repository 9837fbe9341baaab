"""Choices that held-out points decide: the epoch, and how far to favour rare labels."""

import numpy as np
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.estimator import network
from hrrxml.estimator.recipe import Recipe
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.model import Model
from hrrxml.training.loop import Epoch, fit

TAILS = tuple(round(0.1 * i, 1) for i in range(9))


def train(
    model: Model, recipe: Recipe, train: Points, held_out: Points | None, seed: int
) -> list[Epoch]:
    """Train, and keep the epoch with the best P@1 on the held-out points. Returns the curve."""
    ranked = {} if held_out is None else {"held_out": held_out}
    weights, curve = fit(model, train, ranked, recipe.train(seed), recipe.head(), seed)
    model.load_state_dict(weights)
    return curve


def choose_tail(model: Model, held_out: Points, prior: Tensor) -> float:
    """The share of the log-odds to subtract that gives the held-out points the best P@1."""
    truth = held_out.labels.to_csr(held_out.n_labels)
    quality = []
    for tail in TAILS:
        network.set_tail(model, tail, prior)
        quality.append(precision_at_k(truth, model.rank(held_out, 1).numpy(), 1)[0])
    return TAILS[int(np.argmax(quality))]
