"""What crosstalk between labels costs, and how d' must grow with the number of labels."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from statistics import mean
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import with_deviation
from papers.claim import Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs

LOSS = 1.0  # points of P@1 that may be lost
LARGE = {"Amazon-670K": 670_091}  # labels to predict d' for
REMARK = (
    "`HolographicClassifier` with its linear path alone, on the same words, and all else equal: "
    "only d' changes. With as many outputs as labels, all codes are orthogonal, and labels do not "
    "disturb one another. P@1 of the test points in percent, mean ± standard deviation over seeds; "
    "*needed* is the d' at which P@1 is one point below that, on a straight line between the two "
    "nearest d' (on a logarithmic scale)."
)

CLAIMS: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Line:
    """P@1 of one dataset by d', one value for each seed; the last d' has an output per label."""

    dataset: str
    n_labels: int
    p1: dict[int, list[float]]

    @property
    def best(self) -> float:
        """The mean P@1 with an output for each label."""
        return mean(self.p1[max(self.p1)])

    def needed(self) -> float | None:
        """The least d' that loses `LOSS` points or fewer; None if the least one tried does."""
        short = {d: self.best - mean(values) for d, values in self.p1.items()}
        for low, high in reversed(list(pairwise(sorted(short)))):
            if short[low] > LOSS:
                share = (short[low] - LOSS) / (short[low] - short[high])
                return float(low * (high / low) ** share)
        return None


def sections(evidence: Evidence) -> list[Section]:
    found = lines(evidence)
    if not found:
        return []
    parts = [REMARK, _table(found), _growth(found), "![P@1 against d'](figures/crosstalk.svg)"]
    return [Section("ours", "crosstalk", "how many outputs labels need", paragraphs(parts))]


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    found = lines(evidence)
    return {"crosstalk": partial(draw, found)} if found else {}


def lines(evidence: Evidence) -> list[Line]:
    measured: Mapping[str, Any] = evidence.benchmarks.get("crosstalk", {})
    return [
        Line(
            dataset,
            result["labels"],
            {int(d): values["P@1"] for d, values in result["dims"].items()},
        )
        for dataset, result in measured.items()
    ]


def _table(found: list[Line]) -> str:
    dims = sorted({d for line in found for d in line.p1 if d != max(line.p1)})
    rows = [["dataset", "L", *(f"d' = {d:,}" for d in dims), "d' = L", "needed", "seeds"]]
    for line in found:
        cells = [
            with_deviation(line.p1[d]) if d in line.p1 and d != max(line.p1) else "–" for d in dims
        ]
        needed, last = line.needed(), line.p1[max(line.p1)]
        shown = f"fewer than {min(line.p1)}" if needed is None else f"{needed:,.0f}"
        rows.append(
            [
                line.dataset,
                f"{line.n_labels:,}",
                *cells,
                with_deviation(last),
                shown,
                f"{len(last)}",
            ]
        )
    return markdown_table(rows)


def _growth(found: list[Line]) -> str:
    """What a power law through the datasets says of more labels."""
    points = [(line.n_labels, needed) for line in found if (needed := line.needed()) is not None]
    if len(points) < 3:
        return ""
    labels, needed = np.log(np.array(points)).T
    power, intercept = np.polyfit(labels, needed, 1)
    worst = float(np.exp(np.abs(power * labels + intercept - needed).max()))
    shown = [
        f"{np.exp(intercept + power * np.log(n)):,.0f} for the {n:,} labels of {name}"
        for name, n in LARGE.items()
    ]
    return (
        f"A power law through these {len(points)} datasets says that d' grows as L to the power of "
        f"{power:.2f}; it misses the worst of them by a factor of {worst:.1f}. It predicts "
        f"{', '.join(shown)}. That is far outside what was measured: datasets differ in more than "
        f"their number of labels."
    )


def draw(found: list[Line]) -> Figure:
    """P@1 lost against d' as a share of L, and the d' needed against L."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    lost, growth = figure.subplots(1, 2)
    for line, style in zip(found, SERIES, strict=False):
        gaps = [mean(values) - line.best for values in line.p1.values()]
        label = f"{line.dataset} (L = {line.n_labels:,})"
        lost.plot(list(line.p1), gaps, label=label, **style)
        if (needed := line.needed()) is not None:
            growth.plot([line.n_labels], [needed], linestyle="none", **style)
    lost.axhline(-LOSS, color="grey", linestyle=":")
    lost.set(xlabel="d'", ylabel="P@1 less that of d' = L, points", xscale="log", ylim=(-12, 2))
    growth.set(xlabel="labels L", ylabel="d' that loses one point", xscale="log", yscale="log")
    figure.legend(loc="outside right upper")
    return figure
