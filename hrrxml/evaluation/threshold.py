"""Precision and recall if every label whose score reaches a threshold is predicted."""

import torch

from hrrxml.data.points import Points
from hrrxml.model import Model


@torch.no_grad()
def precision_and_recall(model: Model, points: Points, threshold: float) -> dict[str, float]:
    """Over all pairs of a point and a label, in percent; and the labels predicted per point."""
    model.eval()
    predicted, right = 0, 0
    for rows in torch.arange(len(points)).split(model.ranked_at_once()):
        batch = points.select(rows).to(model.device)
        reached = model.scores(batch) >= threshold
        predicted += int(reached.sum())
        right += int(reached[batch.labels.rows, batch.labels.ids].sum())
    return {
        "precision": round(100 * right / max(1, predicted), 2),
        "recall": round(100 * right / max(1, len(points.labels.ids)), 2),
        "per_point": round(predicted / len(points), 2),
    }
