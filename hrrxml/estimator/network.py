"""The classifier's network: a linear path, hidden layers where they help, and d' outputs."""

import torch
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.encoders import Encoder, build
from hrrxml.encoders.fc import Settings as HiddenSettings
from hrrxml.encoders.none import Settings as NoSettings
from hrrxml.estimator.recipe import Recipe
from hrrxml.estimator.seen import Seen
from hrrxml.heads.base import log_odds_of_counts
from hrrxml.heads.holographic import Head
from hrrxml.model import Model
from hrrxml.vsa import hrr


def make(recipe: Recipe, seen: Seen, seed: int) -> Model:
    """A newly initialised network for the labels and features of the training points."""
    n_labels, n_features = len(seen.counts), len(seen.mean)
    tables = {
        "bases": bases(-(-n_labels // recipe.dim), recipe.dim, seed),
        "n_labels": torch.tensor(n_labels),
        "prior": log_odds_of_counts(seen.counts, seen.n_points),
    }
    encoder = _encoder(recipe, n_features, n_labels)
    head = Head(recipe.head(), encoder.width, n_features, tables)
    return Model(encoder, head, n_labels)


def bases(n: int, d: int, seed: int) -> Tensor:
    """Unitary base vectors: (n, d). More of them begin with the same ones.

    So labels that are added later leave the codes of the others as they are.
    """
    rows = []
    for number in range(n):
        generator = torch.Generator().manual_seed(seed * 1_000_003 + number)
        rows.append(hrr.project(hrr.random(1, d, generator=generator)))
    return torch.cat(rows)


def _encoder(recipe: Recipe, n_features: int, n_labels: int) -> Encoder:
    shape = points(Bags.from_lists([]), Bags.from_lists([]), n_features, n_labels)
    if recipe.hidden:
        hidden = HiddenSettings(
            hidden=recipe.hidden, layers=2, activation="relu", update="rows", weight_norm=False
        )
        return build("fc", hidden, shape)
    return build("none", NoSettings(), shape)


def points(
    features: Bags,
    labels: Bags | None,
    n_features: int,
    n_labels: int,
    weights: Tensor | None = None,
) -> Points:
    """Points of the classifier; without labels, each has none."""
    labels = Bags.from_lists([[]] * len(features)) if labels is None else labels
    return Points(features, None, labels, n_features, 0, n_labels, weights)


def set_tail(network: Model, tail: float, prior: Tensor) -> None:
    """Rank by logit − tail · log-odds; this favours rare labels."""
    head = network.head
    assert isinstance(head, Head)
    head.adjustment = (tail * prior).to(head.adjustment)
