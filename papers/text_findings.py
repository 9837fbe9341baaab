"""What the text encoders reach, beside bags of words and the commonest label."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from hrrxml.report.results import Cell, by_dataset, guessing
from papers.comparison import table

ENCODERS = ("cnn", "lstm")
PEER = "plt"
REMARK = (
    "Suite `text`. The encoders read nothing but the words in order: no head here has a shortcut "
    "from the tf-idf features. Word vectors start from the training texts' co-occurrence. The "
    "network of the HRR authors' code (its pooling, a stride of 2, 32 filters, two more layers) is "
    "in Table 1. PLT learns from tf-idf features of the same texts."
)


def markdown(
    cells: list[Cell], peers: Mapping[str, Any], datasets: Mapping[str, Mapping[str, Any]]
) -> str:
    """A table for each dataset, and how far each encoder comes with its best head."""
    parts = []
    for dataset, group in by_dataset(cells).items():
        found = {name: row["metrics"] for name, row in peers.get(dataset, {}).items()}
        known = {name: values for name, values in found.items() if name == PEER}
        parts += [f"### {dataset}", table(group, known)]
        lines = [
            verdict(encoder, group, known, guessing(datasets[dataset])) for encoder in ENCODERS
        ]
        parts += ["\n".join(line for line in lines if line)]
    if not parts:
        return ""
    return "\n\n".join(["## Text encoders: XML-CNN and the attention LSTM", REMARK, *parts])


def verdict(
    encoder: str, cells: list[Cell], peers: Mapping[str, Mapping[str, list[float]]], share: float
) -> str:
    """P@1 of its best head against ten times the commonest label's share, and against PLT."""
    own = [cell for cell in cells if encoder in cell.model.split("-")]
    if not own:
        return ""
    best = max(own, key=lambda cell: cell.mean("P@1"))
    p1 = best.mean("P@1")
    line = f"- {encoder}: best with `{best.model}`, P@1 {p1:.2f}: {p1 / share:.0f} times the "
    line += f"commonest label's share ({share:.1f}%)"
    if PEER in peers:
        gap = mean(peers[PEER]["P@1"]) - p1
        near = "within 5 points of" if gap <= 5 else "not within 5 points of"
        within = "above" if gap < 0 else near
        line += f", {within} PLT (PLT less ours: {gap:+.2f})"
    return f"{line}."
