"""What the HRR paper says of composed vectors: appendix B, tried out as the ledger is made."""

from collections.abc import Iterator
from functools import cache

import torch
from torch import Tensor

from hrrxml.claims import Check, Claim
from hrrxml.evidence import Evidence
from hrrxml.vsa import hrr

DIMS = (64, 256)
TRIALS = 2000
NEAR = 0.1  # how far from what is stated, and the least that passes for a response


def recovered(d: int) -> tuple[float, float]:
    """Variances of ξ and η in c* ⊗ (c ⊗ x) = (1 + ξ) x + η (eq. 11)."""
    c, x = hrr.random(2 * TRIALS, d, generator=_generator()).chunk(2)
    xi = c.square().sum(1, keepdim=True) - 1
    eta = hrr.unbind(hrr.bind(c, x), c) - (1 + xi) * x
    return xi.var().item(), eta.var().item()


@cache
def responses(d: int) -> dict[str, float]:
    """Mean answers to questions of the dog of Figure 4, over many dogs; all vectors projected."""
    symbols = hrr.project(hrr.random(10 * TRIALS, d, generator=_generator()))
    l, legs, t, tail, h, e, eyes, n, nose, wings = symbols.chunk(10)  # noqa: E741 (its letters)
    head = hrr.bind(e, eyes) + hrr.bind(n, nose)
    dog = hrr.bind(l, legs) + hrr.bind(t, tail) + hrr.bind(h, head)
    asked = {
        "legs by l": (legs, l),
        "wings by l": (wings, l),
        "eyes by h ⊗ e": (eyes, hrr.bind(h, e)),
        "eyes by e": (eyes, e),
    }
    return {what: _response(dog, key, value) for what, (value, key) in asked.items()}


def _response(trace: Tensor, key: Tensor, value: Tensor) -> float:
    return (value * hrr.unbind(trace, key)).sum(1).mean().item()


def _generator() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _noise(_: Evidence) -> Iterator[Check]:
    for d in DIMS:
        ratios = [ours / stated for ours, stated in zip(recovered(d), _stated(d), strict=True)]
        shown = f"ξ {ratios[0]:.2f}×, η {ratios[1]:.2f}×"
        yield Check(f"d = {d}", shown, all(abs(ratio - 1) <= NEAR for ratio in ratios))


def _stated(d: int) -> tuple[float, float]:
    return 2 / d, (d - 1) / d**2


def _whole_keys(_: Evidence) -> Iterator[Check]:
    for d in DIMS:
        found = responses(d)
        for question, answer in (("legs by l", 1), ("eyes by h ⊗ e", 1), ("wings by l", 0)):
            near = abs(found[question] - answer) <= NEAR
            yield Check(f"{question}, d = {d}", f"{found[question]:.2f}", near)


def _inner_key(_: Evidence) -> Iterator[Check]:
    for d in DIMS:
        answer = responses(d)["eyes by e"]
        yield Check(f"eyes by e, d = {d}", f"{answer:.2f}", answer >= NEAR)


CLAIMS = (
    Claim(
        "HRR",
        "appendix B, eq. 11",
        "What is unbound is (1 + ξ) x + η, with variances of 2/d and (d − 1)/d²",
        "2/d and (d − 1)/d²",
        f"With Plate's inverse, d of {DIMS[0]} and {DIMS[1]}, and {TRIALS:,} draws: within a "
        "tenth of it",
        _noise,
    ),
    Claim(
        "HRR",
        "appendix B, Figure 4",
        "A dog composed of bound parts answers what it has, part of a part by both keys",
        "present ≈ 1, absent ≈ 0",
        f"The mean response is within {NEAR} of 1 for what it has (legs, eyes) and of 0 for what "
        f"it has not (wings), over {TRIALS:,} dogs",
        _whole_keys,
    ),
    Claim(
        "HRR",
        "appendix B",
        "It also tells that it has eyes by their own key e alone, if less strongly",
        "a response, though weaker",
        f"The mean response is at least {NEAR}, over {TRIALS:,} dogs",
        _inner_key,
        remark="e* ⊗ h ⊗ e ⊗ eyes = h ⊗ eyes, which is as far from eyes as any other vector",
    ),
)
