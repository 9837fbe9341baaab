"""Adam for tables where a batch uses only a few rows."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

ROWS = 256  # rows per update: few enough to stay in the cache between reading and writing


class RowAdam(Optimizer):
    """Adam with β₁ = 0, applied only to the rows that have a gradient.

    It equals dense Adam exactly: without a first moment, dense Adam does not move a row without a
    gradient. Only the row's second moment decays; this decay is applied when the row next has a
    gradient. (With a first moment, a row would keep moving for some steps. torch.optim.SparseAdam
    ignores that, decays nothing, and copies all updated rows several times.)

    A group with `whole_rows` has one second moment for each row: the mean over its weights. This
    takes half the memory. It also keeps the direction of a row's gradient, where one moment for
    each weight would make all steps of a rare row equally long in every dimension.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: float,
        beta2: float = 0.999,
        eps: float = 1e-8,
        whole_rows: bool = False,
    ) -> None:
        defaults = {"lr": lr, "beta2": beta2, "eps": eps, "whole_rows": whole_rows}
        super().__init__(params, defaults)

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
            whole_rows = group["whole_rows"]
            state["square"] = torch.zeros_like(weight[:, :1] if whole_rows else weight)
        state["step"] += 1
        step, beta2 = state["step"], group["beta2"]
        missed = (step - state["last"][rows])[:, None].to(weight.dtype)
        state["last"][rows] = step
        # Adam's bias correction, applied to the rate and ε: two numbers instead of a tensor.
        correction = (1 - beta2**step) ** 0.5
        rate, eps = group["lr"] * correction, group["eps"] * correction
        parts = (t.split(ROWS) for t in (rows, values, beta2**missed))
        for row, g, decay in zip(*parts, strict=True):
            square = state["square"].index_select(0, row).mul_(decay)
            if group["whole_rows"]:
                square.add_(g.square().mean(1, keepdim=True), alpha=1 - beta2)
            else:
                square.addcmul_(g, g, value=1 - beta2)
            state["square"].index_copy_(0, row, square)
            weight.index_add_(0, row, g / square.sqrt_().add_(eps), alpha=-rate)


def _rows_and_values(gradient: Tensor) -> tuple[Tensor, Tensor]:
    """Distinct rows and their values; coalescing is expensive, and autograd loses its flag."""
    rows = gradient._indices()[0]
    if not (rows.diff() > 0).all():
        gradient = gradient.coalesce()
    return gradient._indices()[0], gradient._values()
