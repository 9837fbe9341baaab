"""Responses of composed vectors, and the memory of autograd for binding (appendices B and D)."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd.graph import saved_tensors_hooks

from hrrxml.experiments.capacity import blocks
from hrrxml.vsa import hrr, mapc, vtb

DIMS = (64, 256)
MEMORY_DIMS = (256, 1024)
TRIALS = 2000
YES = 0.5  # a response above this counts as "yes" (appendix H)

# A function applied to the drawn vectors, and the inverse used to unbind.
VARIANTS: dict[str, tuple[Callable[[Tensor], Tensor], Callable[[Tensor], Tensor]]] = {
    "projected": (hrr.project, hrr.inverse),
    "naive, pseudo-inverse": (lambda x: x, hrr.inverse),
    "naive, exact inverse": (lambda x: x, hrr.exact_inverse),
}
# VTB as one product of matrices, and as the block-diagonal matrix of its papers.
BINDINGS = {"hrr": hrr.bind, "mapc": mapc.bind, "vtb": vtb.bind, "vtb, blocks": blocks.bind}


def run() -> dict[str, Any]:
    """All measurements of this module, ready for JSON."""
    return {
        "trials": TRIALS,
        "noise": {str(d): noise(d) for d in DIMS},
        "dogs": {name: {str(d): dogs(name, d) for d in DIMS} for name in VARIANTS},
        "bytes_kept": {
            str(d): {name: bytes_kept(bind, d) for name, bind in BINDINGS.items()}
            for d in MEMORY_DIMS
        },
    }


def noise(d: int) -> dict[str, float]:
    """Variances of ξ and η in c* ⊗ (c ⊗ x) = (1 + ξ) x + η (eq. 11), and of products c_i·x_i."""
    c, x = _vectors(2, d)
    xi = c.square().sum(1, keepdim=True) - 1
    eta = hrr.unbind(hrr.bind(c, x), c) - (1 + xi) * x
    variances = {"xi": xi.var(), "eta": eta.var(), "product": (c * x).var()}
    return {name: float(f"{value.item():.4g}") for name, value in variances.items()}


def dogs(variant: str, d: int) -> dict[str, float]:
    """The share of random dogs (Figure 4) whose response to each question means yes."""
    project, inverse = VARIANTS[variant]
    l, legs, t, tail, h, e, eyes, n, nose, m, mouth, wings = map(project, _vectors(12, d))  # noqa: E741
    head = hrr.bind(e, eyes) + hrr.bind(n, nose) + hrr.bind(m, mouth)
    dog = hrr.bind(l, legs) + hrr.bind(t, tail) + hrr.bind(h, head)

    def share(value: Tensor, *keys: Tensor) -> float:
        answer = dog
        for key in keys:
            answer = hrr.bind(inverse(key), answer)
        return round(((value * answer).sum(1) > YES).float().mean().item(), 4)

    return {
        "legs by l": share(legs, l),
        "wings by l": share(wings, l),
        "eyes by h and e": share(eyes, h, e),
        "eyes by e": share(eyes, e),
    }


def bytes_kept(bind: Callable[[Tensor, Tensor], Tensor], d: int) -> int:
    """The bytes that autograd keeps to differentiate one binding. Shared memory counts once."""
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        memory = tensor.untyped_storage()
        kept[memory.data_ptr()] = memory.nbytes()
        return tensor

    x, y = torch.ones(2, d).unbind()
    with saved_tensors_hooks(keep, lambda tensor: tensor):
        # The name keeps the result alive, so that no other tensor reuses its memory.
        _bound = bind(x.requires_grad_(), y.requires_grad_())
    return sum(kept.values())


def _vectors(n: int, d: int) -> tuple[Tensor, ...]:
    """n tensors (trials, d): one independent vector per symbol and trial."""
    return hrr.random(n * TRIALS, d, generator=torch.Generator().manual_seed(0)).chunk(n)
