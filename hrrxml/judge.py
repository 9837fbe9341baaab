"""Metrics of rankings of the test split, with the propensities of its dataset."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy.sparse import vstack

from hrrxml import metrics
from hrrxml.data.points import Points
from hrrxml.schema import Propensity


class Judge:
    """Labels are as common as among all points that are not of the test split."""

    def __init__(self, splits: Mapping[str, Points], propensity: Propensity) -> None:
        truth = {name: part.labels.to_csr(part.n_labels) for name, part in splits.items()}
        seen = vstack([truth["train"], truth["validation"]])
        self.truth = truth["test"]
        self.inv_ps = metrics.Jain_et_al_inverse_propensity(seen, propensity.a, propensity.b)

    def __call__(self, rankings: Sequence[np.ndarray]) -> dict[str, list[float]]:
        """Each metric of each ranking, in percent."""
        found = [metrics.all_metrics(self.truth, ranking, self.inv_ps) for ranking in rankings]
        return {name: [round(one[name], 2) for one in found] for name in found[0]}
