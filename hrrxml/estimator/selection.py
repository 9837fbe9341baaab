"""Choices that held-out points decide: hidden layers or none, and how far to favour rare labels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from hrrxml.data.points import Points
from hrrxml.estimator import network
from hrrxml.estimator.recipe import Recipe, choose
from hrrxml.evaluation.metrics import precision_at_k
from hrrxml.model import Model
from hrrxml.training.loop import Epoch, fit

TAILS = tuple(round(0.1 * i, 1) for i in range(9))


def recipes(train: Points, given: Mapping[str, int | None]) -> list[Recipe]:
    """The recipes to try on these points; what the user gives is kept."""
    labels_per_point = len(train.labels.ids) / max(1, len(train))
    features_per_point = len(train.features.ids) / max(1, len(train))
    chosen = choose(len(train), train.n_labels, features_per_point, labels_per_point, **given)
    return [chosen]


@dataclass(frozen=True)
class Trained:
    recipe: Recipe
    model: Model
    curve: list[Epoch]

    @property
    def accuracy(self) -> float:
        """The best P@1 of the held-out points."""
        return max(next(iter(row.p1.values()), 0.0) for row in self.curve)


def train_best(
    recipes: Sequence[Recipe],
    new: Callable[[Recipe], Model],
    train: Points,
    held_out: Points | None,
    seed: int,
) -> Trained:
    """Train by each recipe, and keep the model with the best P@1 on the held-out points."""
    ranked = {} if held_out is None else {"held_out": held_out}
    trained = []
    for recipe in recipes if held_out is not None else recipes[:1]:
        model = new(recipe)
        settings, rate = recipe.train(seed), recipe.head()
        weights, curve = fit(
            model, train, ranked, settings, rate, seed, patience=recipe.patience if ranked else None
        )
        model.load_state_dict(weights)
        trained.append(Trained(recipe, model, curve))
    return max(trained, key=lambda one: one.accuracy)


def choose_tail(model: Model, held_out: Points, prior: Tensor) -> float:
    """The share of the log-odds to subtract that ranks the held-out points best."""
    truth = held_out.labels.to_csr(held_out.n_labels)
    quality = []
    for tail in TAILS:
        network.set_tail(model, tail, prior)
        precision = precision_at_k(truth, model.rank(held_out, 5).numpy(), 5)
        quality.append(precision[0])
    return TAILS[int(np.argmax(quality))]
