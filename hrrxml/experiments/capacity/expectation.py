"""Eqs. 12 and 13: do means of what is unbound settle as more vectors are drawn?

c† ⊗ (c ⊗ x + a ⊗ b) is x and noise, which eq. 12 writes out for d = 2: a sum over c0² − c1². Eq. 13
takes the expectation, in which the noise vanishes. But 1/(c0² − c1²) has none. In Fourier space,
the noise is a product of normal variables over another one, so it exceeds t with a probability
that falls only as 1/t. Means of many such draws scatter as widely as means of few. A mean that
exists settles, and so does every median.
"""

from collections.abc import Callable

import torch
from torch import Tensor

from hrrxml.vsa import hrr

DIM = 2
DRAWS = (100, 1000, 10_000)
REPETITIONS = 200

# A function applied to c, and its inverse.
WAYS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "exact inverse": (lambda c: c, hrr.exact_inverse),
    "pseudo-inverse": (lambda c: c, hrr.inverse),
    "projected": (hrr.project, hrr.inverse),
}


def run() -> dict[str, dict[str, dict[str, float]]]:
    """How far means and medians of n draws scatter over repetitions, by way and n."""
    return {way: {str(n): scatter(way, n) for n in DRAWS} for way in WAYS}


def scatter(way: str, draws: int) -> dict[str, float]:
    """Interquartile ranges, over repetitions, of the mean and of the median of the noise."""
    noise = errors(way, REPETITIONS * draws).view(REPETITIONS, draws)
    return {
        "mean": _interquartile(noise.mean(1)),
        "median": _interquartile(noise.median(1).values),
    }


def errors(way: str, draws: int) -> Tensor:
    """The first entry of what is unbound, minus that of x: (draws,)."""
    project, inverse = WAYS[way]
    generator = torch.Generator().manual_seed(0)
    # In float32, a Fourier coefficient of one in some million vectors would be exactly zero.
    a, b, c, x = (
        hrr.random(draws, DIM, generator=generator, dtype=torch.float64) for _ in range(4)
    )
    c = project(c)
    unbound = hrr.bind(inverse(c), hrr.bind(c, x) + hrr.bind(a, b))
    return (unbound - x)[:, 0]


def _interquartile(values: Tensor) -> float:
    lower, upper = values.quantile(torch.tensor([0.25, 0.75], dtype=values.dtype)).tolist()
    return float(f"{upper - lower:.4g}")
