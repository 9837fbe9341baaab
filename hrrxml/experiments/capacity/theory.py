"""Closed-form predictions for the figures.

In HRR (pseudo-inverse or projected), VTB and unclipped MAP-C, each of the n pairs in a bundle adds
noise of variance 1/d to every response. The exact inverse divides by Fourier magnitudes arbitrarily
close to zero, so its noise has no finite variance, and there is no formula for it.
"""

import math

import numpy as np
from scipy.stats import norm

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(100)  # for averages over N(0, 1)


def response_deviation(others: np.ndarray, d: int) -> np.ndarray:
    """√(others/d), the standard deviation of a response to a bundle of `others` other pairs.

    A pair in the bundle also adds its own deviation, which does not grow with n: 0 for unitary
    vectors, of order 1/√d for Gaussian vectors.
    """
    return np.sqrt(others / d)


def retrieval_error(n: np.ndarray, d: int) -> np.ndarray:
    """P(the largest response of n absent symbols exceeds that of the present one), for each n.

    The present response is N(1, σ²), each absent response N(0, σ²), with σ² = (n − 1)/d.
    Gauss-Hermite quadrature averages over the present response.
    """
    with np.errstate(divide="ignore"):  # n = 1: no noise, so no errors
        distance = 1 / response_deviation(n - 1, d)
    none_larger = norm.cdf(NODES[:, None] + distance) ** n  # (nodes, n)
    return 1 - WEIGHTS @ none_larger / math.sqrt(2 * math.pi)


def capacity(d: int, threshold: float) -> float:
    """The n at which the retrieval error reaches the threshold, interpolated."""
    n = np.arange(1, d)
    return float(np.interp(threshold, retrieval_error(n, d), n))
