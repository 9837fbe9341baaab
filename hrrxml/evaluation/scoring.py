"""Compute all metrics of a ranking of the test split."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import vstack

from hrrxml.config.schema import Propensity
from hrrxml.data.points import Points
from hrrxml.evaluation import metrics


class Scorer:
    """The labels and propensities of one dataset, computed once for all rankings."""

    def __init__(self, splits: Mapping[str, Points], propensity: Propensity) -> None:
        """Propensities are counted on the points of train and validation."""
        truth = {split: part.labels.to_csr(part.n_labels) for split, part in splits.items()}
        counted = vstack([truth["train"], truth["validation"]])
        self.truth = truth["test"]
        self.inv_ps = metrics.Jain_et_al_inverse_propensity(counted, propensity.a, propensity.b)

    def score(self, ranking: np.ndarray) -> dict[str, float]:
        """Every metric in percent, with two decimals. `ranking` is (test points, 5), best first."""
        scores = metrics.all_metrics(self.truth, ranking, self.inv_ps)
        return {metric: round(value, 2) for metric, value in scores.items()}


def by_metric(scores: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """The values of each metric, one per ranking."""
    return {metric: [score[metric] for score in scores] for metric in scores[0]}
