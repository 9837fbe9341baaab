"""How good a ranking of the test split is, whoever made it."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import vstack

from hrrxml import metrics
from hrrxml.data.points import Points
from hrrxml.schema import Propensity


def score(
    ranking: np.ndarray, splits: Mapping[str, Points], propensity: Propensity
) -> dict[str, float]:
    """Every metric in percent, to two decimals; ranking: (test points, 5), best first.

    Propensities are of all that is not test: train and validation.
    """
    truth = {split: part.labels.to_csr(part.n_labels) for split, part in splits.items()}
    seen = vstack([truth["train"], truth["validation"]])
    inv_ps = metrics.Jain_et_al_inverse_propensity(seen, propensity.a, propensity.b)
    found = metrics.all_metrics(truth["test"], ranking, inv_ps)
    return {metric: round(value, 2) for metric, value in found.items()}


def by_metric(scores: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Each metric's values, one for each seed."""
    return {metric: [score[metric] for score in scores] for metric in scores[0]}
