"""Train a classifier's model, and let held-out points decide the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import torch

from hrrxml.data.points import Points
from hrrxml.estimator import calibration, network, recipe, selection
from hrrxml.estimator.fitted import Fitted, hits
from hrrxml.estimator.recipe import Recipe
from hrrxml.heads.base import log_odds_of_counts
from hrrxml.model import Model
from hrrxml.training.loop import Epoch, best_epoch

FEW = 20  # fewer held-out points with labels decide nothing: then all points are for training
SHARE, MOST = 0.1, 2500  # points to hold out if the user does not say: this share, and at most

Row = dict[str, float | None]  # of the learning curve


@dataclass(frozen=True)
class Learned:
    fitted: Fitted
    validation: dict[str, float]  # metrics of the held-out points; empty if there are none
    curve: list[Row]


def learn(
    draft: Fitted, points: Points, given: Mapping[str, int | None], validation: float | None
) -> Learned:
    """Train `draft` on these points; `validation` is the share to hold out, if it is given."""
    train, held_out = _divide(points, validation, draft.seed)
    candidates = recipe.candidates(train, given, held_out is not None)
    trained = [_train(draft, each, train, held_out) for each in candidates]
    chosen, model, curve = max(trained, key=lambda each: best_epoch(each[2]).quality())
    fitted = replace(draft, model=model, recipe=chosen, seen=draft.seen.plus(points))
    rows = [_without_times(row.as_dict("{}_p1")) for row in curve]
    if held_out is None:
        return Learned(fitted, {}, rows)
    tail = selection.choose_tail(model, held_out, fitted.prior)
    fitted = _calibrated(fitted.with_tail(tail), held_out)
    truth = held_out.labels.to_csr(held_out.n_labels)
    return Learned(fitted, fitted.measure(held_out, truth), rows)


def _train(
    draft: Fitted, chosen: Recipe, train: Points, held_out: Points | None
) -> tuple[Recipe, Model, list[Epoch]]:
    seen = draft.seen.plus(train)
    model = network.make(chosen, seen, draft.seed)
    prior = log_odds_of_counts(seen.counts, seen.n_points)
    return chosen, model, selection.train(model, chosen, train, held_out, prior, draft.seed)


def _divide(points: Points, share: float | None, seed: int) -> tuple[Points, Points | None]:
    """Training points, and held-out points if there are enough of them."""
    n = round(len(points) * (SHARE if share is None else share))
    n = min(n, MOST) if share is None else n
    order = torch.randperm(len(points), generator=torch.Generator().manual_seed(seed))
    held_out = points.select(order[:n].sort().values)
    if int((held_out.labels.lengths > 0).sum()) < FEW:
        return points, None
    return points.select(order[n:].sort().values), held_out


def _calibrated(fitted: Fitted, held_out: Points) -> Fitted:
    ranking, scores = fitted.search(held_out, 5)
    curve = calibration.fit(scores, hits(ranking, held_out.labels.to_csr(held_out.n_labels)))
    # Without a curve, scores are taken as logits: they must be logits, which a tail changes.
    return fitted.with_tail(0.0) if curve is None else replace(fitted, calibration=curve)


def _without_times(row: Row) -> Row:
    """Without the clock's numbers: the same training gives the same files."""
    return {name: v for name, v in row.items() if name not in ("seconds", "tokens_per_second")}
