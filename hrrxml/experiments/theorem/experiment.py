"""Find the d that suffices to embed random label sets without restrictions on the embedding.

Theorem 2.1: let each of n points have s of K labels. In d = O(min(s log(K·n), s² log K)) dimensions
there are unit vectors v and embeddings φ such that φᵀv is at least 2/3 for the labels of a point
and at most 1/3 for all others (items 1 to 4), no two v have a cosine above √(2 log(4K²) / d) (5),
and no φ is longer than O(s (log K / d)^¼) (6). We look for them in three ways, weakest first:

- `sum`: v is random, φ is the sum of the point's v;
- `fitted`: v is random, φ is fitted to each point (a convex problem, a fixed number of steps);
- `learned`: v and φ are both fitted to the n points.
"""

import math
from dataclasses import asdict, dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from hrrxml.config.schema import Theorem
from hrrxml.runtime.progress import bar

WAYS = ("sum", "fitted", "learned")
HIGH, LOW = 2 / 3, 1 / 3
GAP = 0.01  # added to both targets, because descent ends close to its target, not beyond it
STEPS = 800


@dataclass(frozen=True)
class Fit:
    """The outcome of one way, K, s and d."""

    apart: float  # share of points with all their labels above 2/3 and all others below 1/3
    ranked: float  # share of points with their labels above all others
    cosine: float  # of the two nearest label vectors
    length: float  # of the longest φ


def run(settings: Theorem) -> list[dict[str, Any]]:
    """The outcomes for each way, K, s and d."""
    grid = [
        (way, labels, size, d)
        for labels in settings.labels
        for size in settings.sizes
        for d in settings.dims
        for way in WAYS
    ]
    rows = []
    for way, labels, size, d in bar(grid, desc="theorem", unit="cell"):
        row = {"way": way, "labels": labels, "size": size, "d": d, "points": settings.points}
        rows.append(row | asdict(fit(way, labels, size, d, settings.points, settings.seed)))
    return rows


def needed(labels: int, size: int, points: int) -> float:
    """min(s log(K·n), s² log K), the theorem's d without its constant."""
    return min(size * math.log(labels * points), size**2 * math.log(labels))


def largest_cosine(labels: int, d: int) -> float:
    """Item 5: √(2 log(4K²) / d)."""
    return math.sqrt(2 * math.log(4 * labels**2) / d)


def greatest_length(labels: int, size: int, d: int) -> float:
    """Item 6 without its constant: s (log K / d)^¼."""
    return float(size * (math.log(labels) / d) ** 0.25)


def fit(way: str, labels: int, size: int, d: int, points: int, seed: int) -> Fit:
    generator = torch.Generator().manual_seed(seed)
    own = torch.rand(points, labels, generator=generator).argsort(1)[:, :size]  # (n, s)
    v = F.normalize(torch.randn(labels, d, generator=generator), dim=1)
    phi = v[own].sum(1)  # (n, d)
    if way != "sum":
        phi, v = _descend(phi, v, own, learn=way == "learned")
    scores = phi @ v.T  # (n, K)
    least_own = scores.gather(1, own).amin(1)
    most_other = scores.scatter(1, own, -torch.inf).amax(1)
    apart = (least_own >= HIGH) & (most_other <= LOW)
    return Fit(
        apart=apart.float().mean().item(),
        ranked=(least_own > most_other).float().mean().item(),
        # Further digits depend on the machine.
        cosine=round((v @ v.T).fill_diagonal_(-1).max().item(), 3),
        length=round(phi.norm(dim=1).max().item(), 3),
    )


def _descend(phi: Tensor, v: Tensor, own: Tensor, *, learn: bool) -> tuple[Tensor, Tensor]:
    """Minimise the squared distances below 2/3 (own labels) and above 1/3 (others) with Adam."""
    is_own = torch.zeros(len(phi), len(v), dtype=torch.bool).scatter_(1, own, True)
    fitted = [phi.requires_grad_(), *([v.requires_grad_()] if learn else [])]
    optimiser = torch.optim.Adam(fitted, lr=0.03)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        scores = phi @ F.normalize(v, dim=1).T
        missing = torch.where(is_own, HIGH + GAP - scores, scores - LOW + GAP).relu()
        optimiser.zero_grad()
        missing.square().sum().backward()
        optimiser.step()
        schedule.step()
    return phi.detach(), F.normalize(v.detach(), dim=1)
