"""What the figures should look like, in closed form.

In HRR (pseudo-inverse or projected), VTB and unclipped MAP-C alike, each of the n pairs
in a bundle adds noise of variance 1/d to every response. The exact inverse divides by
Fourier magnitudes that come arbitrarily close to zero: its noise has no variance, and no
formula here.
"""

import math

import numpy as np
from scipy.stats import norm

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(100)  # for averages over N(0, 1)


def response_deviation(others: np.ndarray, d: int) -> np.ndarray:
    """√(others/d): of a single response, to a bundle of that many other pairs.

    A pair that is itself in the bundle adds a deviation of its own, which does not grow
    with n: none for unitary vectors, of order 1/√d for Gaussian ones.
    """
    return np.sqrt(others / d)


def retrieval_error(n: np.ndarray, d: int) -> np.ndarray:
    """P(the best of n absent symbols answers louder than the one present), for each n.

    The present one answers N(1, σ²), each absent one N(0, σ²), σ² = (n − 1)/d. Averaged
    over the present one's answer by Gauss-Hermite quadrature.
    """
    with np.errstate(divide="ignore"):  # n = 1: no noise, never an error
        distance = 1 / response_deviation(n - 1, d)
    none_louder = norm.cdf(NODES[:, None] + distance) ** n  # (nodes, n)
    return 1 - WEIGHTS @ none_louder / math.sqrt(2 * math.pi)


def capacity(d: int, threshold: float) -> float:
    """The n at which the retrieval error passes the threshold, between whole numbers."""
    n = np.arange(1, d)
    return float(np.interp(threshold, retrieval_error(n, d), n))
