"""What the HRR paper says of composed vectors: appendix B, tried out as the ledger is made."""

from collections.abc import Callable, Iterator
from functools import cache

import torch
from torch import Tensor

from hrrxml.claims import Check, Claim
from hrrxml.evidence import Evidence
from hrrxml.vsa import hrr

DIMS = (64, 256)
TRIALS = 2000
NEAR = 0.1  # how far a variance may be from the stated one, as a share
YES = 0.5  # a response above it (appendix H)
RIGHT = 0.95  # least share of right answers

# How vectors are made, and what undoes them.
VARIANTS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "projected": (hrr.project, hrr.inverse),
    "naive, pseudo-inverse": (lambda x: x, hrr.inverse),
    "naive, exact inverse": (lambda x: x, hrr.exact_inverse),
}


def recovered(d: int) -> tuple[float, float]:
    """Variances of ξ and η in c* ⊗ (c ⊗ x) = (1 + ξ) x + η (eq. 11)."""
    c, x = _vectors(2, d)
    xi = c.square().sum(1, keepdim=True) - 1
    eta = hrr.unbind(hrr.bind(c, x), c) - (1 + xi) * x
    return xi.var().item(), eta.var().item()


@cache
def yes(variant: str, d: int) -> dict[str, float]:
    """The share of dogs (Figure 4) that say yes to a question."""
    project, inverse = VARIANTS[variant]
    l, legs, t, tail, h, e, eyes, n, nose, m, mouth, wings = map(project, _vectors(12, d))  # noqa: E741
    head = hrr.bind(e, eyes) + hrr.bind(n, nose) + hrr.bind(m, mouth)
    dog = hrr.bind(l, legs) + hrr.bind(t, tail) + hrr.bind(h, head)

    def asked(value: Tensor, *keys: Tensor) -> float:
        found = dog
        for key in keys:
            found = hrr.bind(inverse(key), found)
        return ((value * found).sum(1) > YES).float().mean().item()

    return {
        "legs by l": asked(legs, l),
        "wings by l": asked(wings, l),
        "eyes by h and e": asked(eyes, h, e),
        "eyes by e": asked(eyes, e),
    }


def _vectors(n: int, d: int) -> tuple[Tensor, ...]:
    """n symbols, each drawn for every trial: (trials, d)."""
    return hrr.random(n * TRIALS, d, generator=torch.Generator().manual_seed(0)).chunk(n)


def _noise(_: Evidence) -> Iterator[Check]:
    for d in DIMS:
        xi, eta = recovered(d)
        ratios = (xi / (2 / d), eta / ((d - 1) / d**2))  # for even d η's is 1/d, to be exact
        shown = f"ξ {ratios[0]:.2f}×, η {ratios[1]:.2f}×"
        yield Check(f"d = {d}", shown, all(abs(ratio - 1) <= NEAR for ratio in ratios))


def _product(_: Evidence) -> Iterator[Check]:
    for d in DIMS:
        x, y = _vectors(2, d)
        ratio = (x * y).var().item() * d**4
        yield Check(f"d = {d}", f"{ratio:,.0f}×", abs(ratio - 1) <= NEAR)


def _whole_keys(_: Evidence) -> Iterator[Check]:
    for variant in VARIANTS:
        for d in DIMS:
            found = yes(variant, d)
            wrong = (1 - found["legs by l"], 1 - found["eyes by h and e"], found["wings by l"])
            shown = ", ".join(f"{100 * (1 - share):.1f}%" for share in wrong)
            yield Check(f"{variant}, d = {d}", shown, max(wrong) <= 1 - RIGHT)


def _inner_key(_: Evidence) -> Iterator[Check]:
    for variant in VARIANTS:
        for d in DIMS:
            found = yes(variant, d)
            shown = f"{found['eyes by e']:.1%} (wings {found['wings by l']:.1%})"
            yield Check(f"{variant}, d = {d}", shown, found["eyes by e"] >= 0.5)


CLAIMS = (
    Claim(
        "HRR",
        "appendix B, eq. 11",
        "What is unbound is (1 + ξ) x + η, with variances of 2/d and (d − 1)/d²",
        "2/d and (d − 1)/d²",
        f"With Plate's inverse and {TRIALS:,} draws: within a tenth of it",
        _noise,
    ),
    Claim(
        "HRR",
        "appendix B",
        "The product of two entries has a variance of 1/d⁴",
        "1/d⁴",
        f"Within a tenth of it, {TRIALS:,} draws of vectors",
        _product,
        remark="Entries of N(0, 1/d) have a variance of 1/d, and their product has 1/d²; that it "
        "vanishes as d grows remains true",
    ),
    Claim(
        "HRR",
        "appendix B, Figure 4",
        "A dog composed of bound parts tells what it has, and a part of a part by both keys",
        "yes or no",
        f"Of {TRIALS:,} dogs at least {RIGHT:.0%} are right: a response above {YES} to legs and to "
        "eyes, and none to wings",
        _whole_keys,
    ),
    Claim(
        "HRR",
        "appendix B",
        "It also tells that it has eyes by their own key e alone, if less strongly",
        "a weaker response",
        f"At least half of {TRIALS:,} dogs say yes",
        _inner_key,
        remark="e* ⊗ h ⊗ e ⊗ eyes = h ⊗ eyes, which is as far from eyes as any other vector",
    ),
)
