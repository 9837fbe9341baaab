"""Two experiments: how often retrieval of bound symbols fails, and how large responses are."""

from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.config.schema import Capacity
from hrrxml.experiments.capacity.variants import VARIANTS, Variant
from hrrxml.runtime.progress import bar

Row = dict[str, Any]  # one row of a results table

LEAST_PAIRS = 1000  # pairs per cell over all trials: small n get more trials
QUERIES = 1024  # maximum number of present and of absent responses per trial
BOUND_AT_ONCE = 2**15  # pairs per response cell over all trials: large n get fewer trials


def powers_of_root_two(most: int) -> list[int]:
    """1, 2, 3, 4, 6, 8, 11, 16, … up to `most`."""
    numbers = (round(2 ** (j / 2)) for j in range(2 * most.bit_length() + 1))
    return sorted({n for n in numbers if n <= most})


def run_retrieval(settings: Capacity) -> list[Row]:
    """Retrieval errors of every variant for every d and for n up to d / 4 (Figures 5 and 6)."""
    grid = [
        (variant, d, n)
        for d in settings.dims
        for n in powers_of_root_two(d // 4)
        for variant in VARIANTS
    ]
    rows: list[Row] = []
    for variant, d, n in bar(grid, desc="retrieval", unit="cell"):
        trials = max(settings.trials, LEAST_PAIRS // n)
        errors = retrieval_errors(variant, n, d, trials, settings.seed)
        row = {"algebra": variant.algebra, "variant": variant.name, "d": d, "n": n}
        row |= {"error_mean": errors.mean().item(), "error_std": errors.std().item()}
        rows.append(row | {"trials": trials})
    return rows


def run_responses(settings: Capacity) -> list[Row]:
    """Mean and standard deviation of responses for n up to `most_terms` (Figures 1 and 7)."""
    d = settings.response_dim
    powers_of_two = [2**j for j in range(settings.most_terms.bit_length())]
    grid = [(variant, n) for n in powers_of_two for variant in VARIANTS]
    rows: list[Row] = []
    for variant, n in bar(grid, desc="responses", unit="cell"):
        trials = max(1, min(settings.trials, BOUND_AT_ONCE // n))
        present, absent = responses(variant, n, d, trials, settings.seed)
        row = {"algebra": variant.algebra, "variant": variant.name, "d": d, "n": n}
        row |= {"present_mean": present.mean().item(), "present_std": present.std().item()}
        row |= {"absent_mean": absent.mean().item(), "absent_std": absent.std().item()}
        rows.append(row | {"trials": trials})
    return rows


def retrieval_errors(variant: Variant, n: int, d: int, trials: int, seed: int) -> Tensor:
    """The share of n bound symbols whose retrieval fails, for each trial: (trials,).

    It fails if one of n other symbols is more similar to the unbound vector (appendix D.1).
    """
    generator = torch.Generator().manual_seed(seed)
    x, others = variant.symbols(trials, 2 * n, d, generator).split(n, dim=1)
    y = variant.keys(trials, n, d, generator)  # (trials, n, d), like x and others
    s = variant.bundle(variant.bind(x, y)).unsqueeze(-2)  # (trials, 1, d)
    unbound = variant.unbind(s, y)  # (trials, n, d)
    own = F.cosine_similarity(unbound, x, dim=-1)  # (trials, n)
    other = F.normalize(unbound, dim=-1) @ F.normalize(others, dim=-1).mT  # (trials, n, n)
    return (own < other.amax(-1)).float().mean(-1)


def responses(variant: Variant, n: int, d: int, trials: int, seed: int) -> tuple[Tensor, Tensor]:
    """xᵀ unbind(S, y) for pairs in S and for absent pairs, divided by the expected response.

    The shapes are (trials, min(n, QUERIES)) and (trials, QUERIES).
    """
    generator = torch.Generator().manual_seed(seed)
    x, others = variant.symbols(trials, n + QUERIES, d, generator).split([n, QUERIES], dim=1)
    y, other_keys = variant.keys(trials, n + QUERIES, d, generator).split([n, QUERIES], dim=1)
    s = variant.bundle(variant.bind(x, y)).unsqueeze(-2)  # (trials, 1, d)
    present = (x[:, :QUERIES] * variant.unbind(s, y[:, :QUERIES])).sum(-1)
    absent = (others * variant.unbind(s, other_keys)).sum(-1)
    return present / variant.response(d), absent / variant.response(d)
