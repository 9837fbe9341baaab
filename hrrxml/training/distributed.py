"""Data-parallel training: each process holds the whole model and works on a part of every batch.

The processes are started by torchrun, or by `hrrxml.training.launch` if `train.processes` > 1. With
one process every function here returns its input at no cost.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.runtime.errors import UserError

SEED_LIMIT = 2**63
_shared: ContextVar[bool] = ContextVar("shared", default=True)


def processes() -> int:
    return dist.get_world_size() if dist.is_initialized() and _shared.get() else 1


def rank() -> int:
    """The number of this process; process 0 writes the files."""
    return dist.get_rank() if dist.is_initialized() and _shared.get() else 0


@contextmanager
def alone() -> Iterator[None]:
    """Within the block, this process works as if it were the only one.

    A network of someone else's, trained with DistributedDataParallel, shares the work by itself.
    """
    before = _shared.set(False)
    try:
        yield
    finally:
        _shared.reset(before)


@contextmanager
def joined(device: torch.device) -> Iterator[None]:
    """Within the block, this process can exchange tensors with those started with it."""
    if int(os.environ.get("WORLD_SIZE", 1)) == 1:
        yield
        return
    dist.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield
    except RuntimeError as error:
        if not (isinstance(error, dist.DistError) or "gloo" in str(error)):
            raise
        raise UserError(
            f"process {rank()} of {processes()}: another process ended; its error is above. "
            "Run it again to resume from the last checkpoint"
        ) from error
    finally:
        dist.destroy_process_group()


def part(batch: Points) -> Points:
    """This process's points of a batch; may be empty if the batch is small."""
    if processes() == 1:
        return batch
    rows = torch.arange(len(batch), device=batch.labels.offsets.device)
    return batch.select(rows.tensor_split(processes())[rank()])


def shard(n: int) -> slice:
    """This process's contiguous share of n items."""
    return slice(n * rank() // processes(), n * (rank() + 1) // processes())


def gather(own: Tensor) -> Tensor:
    """The rows of all processes, in order of rank; gradients flow back to each process."""
    if processes() == 1:
        return own
    rows: Tensor = _Gather.apply(own)
    return rows


def gather_bags(own: Bags) -> Bags:
    """The bags of all processes, in order of rank; the bags have no weights."""
    if processes() == 1:
        return own
    lengths = _gather(own.lengths)
    return Bags(_gather(own.ids), torch.cat([lengths.new_zeros(1), lengths.cumsum(0)]))


def sum_gradients(dense: Iterable[Tensor], sparse: Iterable[Tensor]) -> None:
    """Replace each gradient by its sum over processes, bit-identical on all of them."""
    dense = list(dense)
    flags = torch.tensor([float(p.grad is not None) for p in dense], device=dense[0].device)
    flat = [torch.zeros_like(p) if p.grad is None else p.grad for p in dense]
    whole = torch.cat([flags, *(gradient.flatten() for gradient in flat)])
    dist.all_reduce(whole)
    pieces = whole[len(dense) :].split([p.numel() for p in dense])
    for parameter, has_grad, piece in zip(dense, whole[: len(dense)].tolist(), pieces, strict=True):
        parameter.grad = piece.view_as(parameter) if has_grad else None
    for parameter in sparse:
        parameter.grad = _sum_of_rows(parameter)


def count(own: int) -> int:
    """The sum of `own` over processes."""
    return own if processes() == 1 else sum(_counts(own))


def wait_for_all() -> None:
    if processes() > 1:
        _counts(0)


def gather_bytes(own: bytes) -> list[bytes]:
    """The bytes of each process, in order of rank; all must have the same length."""
    if processes() == 1:
        return [own]
    rows = gather(torch.frombuffer(bytearray(own), dtype=torch.uint8)[None].to(_device()))
    return [bytes(row) for row in rows.tolist()]


def total(value: float) -> float:
    """The sum of `value` over processes."""
    if processes() == 1:
        return value
    sums = torch.tensor(value, dtype=torch.float64, device=_device())
    dist.all_reduce(sums)
    return sums.item()


def maximum(values: Tensor) -> Tensor:
    """The elementwise maximum over processes."""
    if processes() == 1:
        return values
    values = values.to(_device())
    dist.all_reduce(values, dist.ReduceOp.MAX)
    return values.cpu()


def broadcast_weights(model: nn.Module) -> None:
    """Copy the first process's weights to all processes."""
    if processes() > 1:
        for value in model.state_dict().values():
            dist.broadcast(value, 0)


def check_equal(*numbers: int) -> None:
    """Raise a UserError unless all processes pass the same numbers (epoch and batch)."""
    if processes() > 1 and len(gather(torch.tensor([numbers], device=_device())).unique(dim=0)) > 1:
        raise UserError(
            "the processes do not see the same checkpoint: "
            "put the project on a disk that all machines share, or delete .checkpoints"
        )


@contextmanager
def own_noise(step: int) -> Iterator[None]:
    """Within the block, random numbers differ between processes and steps.

    Outside it, all processes draw the same numbers, as a single process would.
    """
    if processes() == 1:
        yield
        return
    seed = ((torch.initial_seed() * 1_000_003 + step) * 1_000_003 + rank() + 1) % SEED_LIMIT
    device = _device()
    with torch.random.fork_rng([] if device.type == "cpu" else [device]):
        torch.manual_seed(seed)
        yield


class _Gather(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, own: Tensor) -> Tensor:
        counts = _counts(len(own))
        start = sum(counts[: rank()])
        ctx.rows = slice(start, start + len(own))
        return _gather(own, counts)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Tensor:
        gradient = gradient.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(gradient)
        return gradient[ctx.rows]


def _device() -> torch.device:
    """The device that exchanged tensors must be on."""
    on_gpu = dist.get_backend() == "nccl"
    return torch.device("cuda", torch.cuda.current_device()) if on_gpu else torch.device("cpu")


def _counts(own: int) -> list[int]:
    """The value of `own`, a number of rows, on each process."""
    count = torch.tensor([own], device=_device())
    counts = [torch.empty_like(count) for _ in range(processes())]
    dist.all_gather(counts, count)
    return [int(count) for count in counts]


def _gather(own: Tensor, counts: list[int] | None = None) -> Tensor:
    counts = counts or _counts(len(own))
    padded = own.new_zeros(max(counts), *own.shape[1:])
    padded[: len(own)] = own
    pieces = [torch.empty_like(padded) for _ in counts]
    dist.all_gather(pieces, padded)
    return torch.cat([piece[:count] for piece, count in zip(pieces, counts, strict=True)])


def _sum_of_rows(parameter: Tensor) -> Tensor:
    """A sparse gradient with the rows of all processes; the optimiser sums repeated rows."""
    own = parameter.grad
    if own is None:
        rows = torch.empty(0, dtype=torch.int64, device=parameter.device)
        values = parameter.new_empty(0, *parameter.shape[1:])
    else:
        rows, values = own._indices()[0], own._values()
    counts = _counts(len(rows))
    return torch.sparse_coo_tensor(
        _gather(rows, counts)[None],
        _gather(values, counts),
        parameter.shape,
        check_invariants=False,
    )
