"""The mean response of all pairs in a bundle, and of as many absent ones (appendix D.2).

Correlation is the adjoint of convolution: ⟨x, y* ⊗ S⟩ = ⟨x ⊗ y, S⟩. So the mean response of all n
pairs bound in S is ⟨S, S⟩ / n, and that of n absent pairs is ⟨S', S⟩ / n, where S' is the bundle of
these. Two bundles give the means over all pairs, where single queries would only sample them.
"""

import torch
from torch import Generator, Tensor

from hrrxml.experiments.capacity.variants import projected
from hrrxml.runtime.progress import bar
from hrrxml.vsa import hrr

FIRST = 2048  # up to there, single responses tell the mean (experiment.py)


def run(d: int, most_terms: int, trials: int, seed: int) -> dict[str, dict[str, float]]:
    """Means over trials and their standard errors, for n = FIRST, 2 · FIRST, … `most_terms`.

    For `most_terms` alone if it is less than FIRST.
    """
    sizes = [2**j for j in range(most_terms.bit_length()) if 2**j >= FIRST] or [most_terms]
    generator = Generator().manual_seed(seed)
    rounds = [means(sizes, d, generator) for _ in bar(range(trials), desc="averages", unit="trial")]
    summary: dict[str, dict[str, float]] = {}
    for n, values in zip(sizes, torch.stack(rounds, dim=1), strict=True):  # (trials, 2)
        mean, error = values.mean(0).tolist(), (values.std(0) / trials**0.5).tolist()
        summary[str(n)] = {
            "present_mean": round(mean[0], 4),
            "present_error": round(error[0], 4),
            "absent_mean": round(mean[1], 4),
            "absent_error": round(error[1], 4),
        }
    return summary


def means(sizes: list[int], d: int, generator: Generator) -> Tensor:
    """The mean responses of present and absent pairs in growing bundles: (sizes, 2)."""
    bound, other, n, rows = torch.zeros(d), torch.zeros(d), 0, []
    for size in sizes:
        while n < size:
            step = min(FIRST, size - n)
            bound, other = bound + bundle(step, d, generator), other + bundle(step, d, generator)
            n += step
        rows.append(torch.stack([bound @ bound, other @ bound]) / n)
    return torch.stack(rows)


def bundle(n: int, d: int, generator: Generator) -> Tensor:
    """The sum of n random pairs of projected vectors: (d,)."""
    (x,), (y,) = (projected(1, n, d, generator) for _ in range(2))
    return hrr.bundle(hrr.bind(x, y))
