"""Forward and backward of the HRR loss, from ŝ: ours against the appendix's and eq. 6 + |eq. 7|.

The appendix pads each point's labels with zero vectors to the longest list, unbinds by FFT, and
sums |cos| label by label. `literal` is eq. 6 + |eq. 7| by FFT, with loops over points and labels.
Our closed form equals `literal`; the appendix's loss differs, as it has a magnitude for each label.
"""

from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.fft import fft, ifft
from torch.nn.utils.rnn import pad_sequence

from benchmarks import clock
from benchmarks.models import build_head, change, configure
from benchmarks.shapes import SEED, make_batches, shapes
from hrrxml.data.points import Points
from hrrxml.vsa import hrr

SHAPES = ("eurlex-4k", "wiki10-31k", "delicious-200k", "amazon-670k")


def measure(
    shape: str = "delicious-200k", dim: int | None = None, repeats: int = 20
) -> dict[str, Any]:
    """Milliseconds of each formulation, by default with the shape's d'."""
    size = shapes()[shape]
    dim = dim or size.dim
    [batch] = make_batches(size, 1)
    head: Any = build_head("hrr", change(configure(size), hrr={"dim": dim}), batch, 1)
    head.outputs = lambda encoded, batch: encoded
    s = torch.randn(len(batch), dim, generator=torch.Generator().manual_seed(SEED))
    s.requires_grad_()
    printed = (s, head.p, head.m, *_stored_vectors(head, batch))
    forward = {
        "ours": partial(head.loss, s, batch),
        "appendix": partial(_appendix, *printed),
        "literal": partial(_literal, *printed),
    }
    works = {name: partial(_forward_and_backward, work, s) for name, work in forward.items()}
    times = clock.milliseconds(works, repeats)
    return {
        **times,
        "speed_up": clock.speed_up(times["appendix_ms"], times["ours_ms"]),
        "literal_speed_up": clock.speed_up(times["literal_ms"], times["ours_ms"]),
        "difference": abs(forward["ours"]().item() - forward["literal"]().item()),
        "labels_per_point": size.labels_per_point,
        **clock.conditions(repeats, batch=size.batch, dim=dim),
    }


def _stored_vectors(head: Any, batch: Points) -> tuple[Tensor, Tensor]:
    """The batch's label vectors, and each point's rows of them. The last row is 0, for padding."""
    used, rows = batch.labels.ids.unique(return_inverse=True)
    vectors = hrr.unbind(head.present.vectors(used), head.p)
    table = torch.cat([vectors, torch.zeros(1, vectors.shape[1])])
    lists = rows.split(batch.labels.lengths.tolist())
    return table, pad_sequence(lists, batch_first=True, padding_value=len(used))


def _appendix(s: Tensor, p: Tensor, m: Tensor, vectors: Tensor, padded: Tensor) -> Tensor:
    """Appendix C's listing."""
    classes = F.embedding(padded, vectors)  # (B, most labels, d')

    def infer(marker: Tensor) -> Tensor:
        turned = marker.expand_as(s).flip(-1).roll(1, -1)
        y = torch.real(ifft(fft(s) * fft(turned)))
        y = y / (torch.norm(y, dim=-1, keepdim=True) + 1e-8)
        return torch.matmul(classes, y.unsqueeze(1).transpose(-1, -2)).squeeze(-1)

    present = torch.mean(torch.sum(1 - torch.abs(infer(p)), dim=-1))
    return present + torch.mean(torch.sum(torch.abs(infer(m)), dim=-1))


def _literal(s: Tensor, p: Tensor, m: Tensor, vectors: Tensor, padded: Tensor) -> Tensor:
    """J_p + |J_n|, eq. 6 and 7, averaged over points."""
    total = s.new_zeros(())
    for point, rows in zip(s, padded, strict=True):
        classes = vectors[rows[rows < len(vectors) - 1]]
        present, absent = hrr.unbind(point, p), hrr.unbind(point, m)
        for c in classes:
            total = total + 1 - F.cosine_similarity(present, c, dim=0)
        total = total + F.cosine_similarity(absent, classes.sum(0), dim=0).abs()
    return total / len(s)


def _forward_and_backward(loss: Any, s: Tensor) -> None:
    s.grad = None
    loss().backward()
