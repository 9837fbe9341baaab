"""What the figures should look like, in closed form.

In HRR (pseudo-inverse or projected), VTB and unclipped MAP-C alike, each of the n pairs
in a bundle adds noise of variance 1/d to every response. The exact inverse divides by
Fourier magnitudes that come arbitrarily close to zero: its noise has no variance, and no
formula here.
"""

import math

import numpy as np
from scipy.stats import norm


def response_deviation(n: int | np.ndarray, d: int) -> np.ndarray:
    """√(n/d): of a single response, present or absent."""
    return np.sqrt(np.asarray(n) / d)


def retrieval_error(n: int, d: int) -> float:
    """P(the best of n absent symbols answers louder than the one present).

    The present one answers N(1, σ²), each absent one N(0, σ²), σ² = (n − 1)/d: the pair
    itself adds no noise. Averaged over the present one's answer by quadrature.
    """
    sigma = math.sqrt((n - 1) / d)
    if sigma == 0:
        return 0.0
    nodes, weights = np.polynomial.hermite_e.hermegauss(100)
    silent = norm.cdf(nodes + 1 / sigma) ** n  # no absent symbol is louder
    return 1 - float(weights @ silent) / math.sqrt(2 * math.pi)
