"""Adam for tables of which a batch touches a few rows."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

ROWS = 256  # updated at once: what is read of them still lies in the cache when it is written


class RowAdam(Optimizer):
    """Adam on the rows that have a gradient; all others, and their moments, are left alone.

    When a row is touched again, its moments first decay by the steps it missed. So the moments
    are at every step those of dense Adam, and a row that every batch touches is updated just as
    dense Adam would; one that a batch misses does not move on by its momentum meanwhile.
    (torch.optim.SparseAdam does not decay, and makes several copies of all touched rows.)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        for group in self.param_groups:
            for weight in group["params"]:
                if weight.grad is not None:
                    self._update(weight, *_rows_and_values(weight.grad), group)

    def _update(self, weight: Tensor, rows: Tensor, values: Tensor, group: dict[str, Any]) -> None:
        state = self.state[weight]
        if not state:
            state["step"] = 0
            state["last"] = torch.zeros(len(weight), dtype=torch.int64, device=weight.device)
            state["mean"], state["square"] = torch.zeros_like(weight), torch.zeros_like(weight)
        state["step"] += 1
        step, (beta1, beta2) = state["step"], group["betas"]
        missed = (step - state["last"][rows])[:, None].to(weight.dtype)
        state["last"][rows] = step
        decay1, decay2 = beta1**missed, beta2**missed
        # Adam's corrections of both moments, moved to where they are one number each.
        correction = (1 - beta2**step) ** 0.5
        rate, eps = group["lr"] * correction / (1 - beta1**step), group["eps"] * correction
        parts = (t.split(ROWS) for t in (rows, values, decay1, decay2))
        for row, g, d1, d2 in zip(*parts, strict=True):
            mean = state["mean"].index_select(0, row).mul_(d1).add_(g, alpha=1 - beta1)
            square = state["square"].index_select(0, row).mul_(d2)
            square.addcmul_(g, g, value=1 - beta2)
            state["mean"].index_copy_(0, row, mean)
            state["square"].index_copy_(0, row, square)
            weight.index_add_(0, row, mean.div_(square.sqrt_().add_(eps)), alpha=-rate)


def _rows_and_values(gradient: Tensor) -> tuple[Tensor, Tensor]:
    """Each row once. Autograd forgets where that is so already, and coalescing is dear."""
    rows = gradient._indices()[0]
    if not (rows.diff() > 0).all():
        gradient = gradient.coalesce()
    return gradient._indices()[0], gradient._values()
