"""Figure 2: P@k against d', and where it stops growing (§5.5)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from hrrxml.report.results import Cell, measured, over_seeds
from papers.alike import compare, difference, dim_of, groups
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.rules import all_of, is_better, is_not_below, is_not_better
from papers.section import Section
from papers.significance import SAME, Difference

FEWEST = 4  # dimensions that make a curve
SHARE = 0.1  # of the labels: where the paper sees the plateau
STORED, CIRCULANT = "random", "circulant"  # codebooks
stated = partial(statement, about=frozenset({"wiki10-31k", "amazoncat-13k", "delicious-200k"}))
REMARK = (
    "HRR-FC, mean ± standard deviation (seeds). Label vectors are random and stored, as in the "
    "paper, and settings are tuned. Where a dataset was run with circulant vectors alone, it is "
    "marked so, and settings are the defaults. "
    "*Share* is d' divided by the number of labels L. The last column is the difference to P@5 at "
    "the largest d'; a star marks one that a test over seeds and test points shows."
)
SHORT = (
    "With {n_labels:,} labels, d' ends at {share:.1%} of them: what the paper says of a tenth is "
    "not judged there, and the best is only the best of those tried."
)


@dataclass(frozen=True)
class Line:
    """One dataset's cells by growing d'."""

    dataset: str
    n_labels: int
    by_dim: dict[int, Cell]
    codebook: str = STORED

    @property
    def name(self) -> str:
        return self.dataset if self.codebook == STORED else f"{self.dataset}, {self.codebook}"

    @property
    def cells(self) -> list[Cell]:
        return list(self.by_dim.values())

    def near_share(self) -> Cell | None:
        """The cell whose d' is nearest to a tenth of the labels, by ratio.

        None if it is the one of the largest d': nothing larger was tried, and often no tenth.
        """
        wanted = SHARE * self.n_labels
        nearest = min(self.by_dim, key=lambda d: max(d / wanted, wanted / d))
        return None if nearest == max(self.by_dim) else self.by_dim[nearest]

    def enough(self) -> float | None:
        """The least d' whose mean P@5 is within a point of the best, as a share of the labels.

        None if that is the largest d' that was tried: a larger one might do better.
        """
        best = max(cell.mean("P@5") for cell in self.cells)
        least = min(d for d, cell in self.by_dim.items() if cell.mean("P@5") >= best - SAME)
        return None if least == max(self.by_dim) else least / self.n_labels


def lines(evidence: Evidence) -> list[Line]:
    """A line for each dataset with cells at several d'. All vectors are fixed.

    They are stored ones. Circulant ones stand for them where a dataset has no line of stored ones.
    """
    stored = _lines(evidence, STORED)
    known = {line.dataset for line in stored}
    return stored + [line for line in _lines(evidence, CIRCULANT) if line.dataset not in known]


def _lines(evidence: Evidence, codebook: str) -> list[Line]:
    fixed = [cell for cell in evidence.all_cells if _is_fixed(cell, codebook)]
    curves = [group for group in groups(fixed, ("hrr", "dim")) if len(group) >= FEWEST]
    n_labels = evidence.n_labels()
    result = []
    for group in curves:
        by_dim = {int(dim): cell for (dim,), cell in sorted(group.items())}
        dataset = next(iter(by_dim.values())).dataset
        result.append(Line(dataset, n_labels[dataset], by_dim, codebook))
    return result


def _is_fixed(cell: Cell, codebook: str) -> bool:
    hrr = cell.settings.get("hrr", {})
    return hrr.get("codebook") == codebook and not hrr["learn_pm"]


def sections(evidence: Evidence) -> list[Section]:
    header = ["dataset", "d'", "share", "P@1", "P@3", "P@5", "P@5, difference"]
    rows: list[list[str | Difference]] = [[*header]]
    short = []
    for line in lines(evidence):
        last = line.cells[-1]
        for dim, cell in line.by_dim.items():
            shown = [measured(cell.metrics[metric]) for metric in ("P@1", "P@3", "P@5")]
            gap = "–" if cell is last else difference(cell, last, "P@5")
            rows.append([line.name, str(dim), _percent(dim / line.n_labels), *shown, gap])
        if (share := dim_of(last) / line.n_labels) < SHARE:
            short.append(SHORT.format(n_labels=line.n_labels, share=share))
    link = "![P@5 by d'](figures/figure2.svg)"
    return section("Figure 2", "how large d' has to be", REMARK, rows, *short, link)


def _percent(share: float) -> str:
    """`10.1%`, and `0.46%` below one percent."""
    return f"{share:.1%}" if share >= 0.01 else f"{share:.2%}"


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    curves = lines(evidence)
    return {"figure2": partial(draw, curves)} if curves else {}


def draw(curves: list[Line]) -> Figure:
    """P@5 against d', and each dataset's share of its best P@5 against d' / L."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    absolute, relative = figure.subplots(1, 2)
    for line, style in zip(curves, SERIES, strict=False):
        p5 = [cell.mean("P@5") for cell in line.cells]
        spread = [over_seeds(cell.metrics["P@5"])["std"] for cell in line.cells]
        label = f"{line.name} (L = {line.n_labels:,})"
        absolute.errorbar(list(line.by_dim), p5, spread, label=label, **style)
        shares = [100 * dim / line.n_labels for dim in line.by_dim]
        relative.plot(shares, [100 * value / max(p5) for value in p5], **style)
    relative.axvline(100 * SHARE, color="grey", linestyle=":")
    absolute.set(xlabel="d'", ylabel="P@5, %", xscale="log")
    relative.set(xlabel="d', % of the labels", ylabel="P@5, % of the best", xscale="log")
    figure.legend(loc="outside right upper")
    return figure


def _plateau(evidence: Evidence) -> Iterator[Check]:
    for line in lines(evidence):
        here, last = line.near_share(), line.cells[-1]
        if here is not None:
            share = f"{dim_of(here) / line.n_labels:.0%}"
            where = f"{line.dataset}, d' = {dim_of(here)} ({share}) less {dim_of(last)}"
            yield compare(where, here, last, "P@5", is_not_below)


def _grows(evidence: Evidence) -> Iterator[Check]:
    for line in lines(evidence):
        first, *_, last = line.cells
        where = f"{line.dataset}, d' = {dim_of(last)} less {dim_of(first)}"
        yield compare(where, last, first, "P@5", is_better)


def _never_falls(evidence: Evidence) -> Iterator[Check]:
    for line in lines(evidence):
        *others, last = line.cells
        for metric in ("P@1", "P@3"):
            # Each smaller d' is a test of its own: the best of them is best by chance, too.
            gaps = tuple(difference(cell, last, metric) for cell in others)
            best = max(range(len(others)), key=lambda place: gaps[place].gap)
            where = f"{line.dataset}, {metric}, d' = {dim_of(others[best])} less {dim_of(last)}"
            runs = tuple(cell.name for cell in line.cells)
            yield Check(where, f"{{{best}}}", runs=runs, gaps=gaps, rule=_none_is_better)


def _none_is_better(*gaps: Difference) -> bool | None:
    return all_of(map(is_not_better, gaps))


def _smaller_share(evidence: Evidence) -> Iterator[Check]:
    """Neighbours by their number of labels."""
    by_size = sorted(lines(evidence), key=lambda line: line.n_labels)
    shares = [(line, share) for line in by_size if (share := line.enough())]
    for (fewer, before), (more, after) in pairwise(shares):
        where = f"L = {fewer.n_labels:,} and {more.n_labels:,}"
        runs = tuple(cell.name for cell in (*fewer.cells, *more.cells))
        yield Check(where, f"{before:.0%} → {after:.0%}", after < before, runs)


CLAIMS = (
    stated(
        place="§5.5, Figure 2",
        says="P@5 has reached its plateau at d' ≤ 10% of L",
        published="10% (Delicious-200K: 1.25%)",
        rule="P@5 at the d' nearest to a tenth of L is not more than a point below that at the "
        "largest d' (one-sided test); no check where that is the nearest",
        judge=_plateau,
        remark="The paper's datasets have 13,330 labels and more",
    ),
    stated(
        place="§5.5, Figure 2",
        says="P@5 grows with d'",
        published="grows",
        rule="P@5 at the largest d' is better than at the least",
        judge=_grows,
    ),
    stated(
        place="§5.5",
        says="The growth with d' is consistent across all P@k",
        published="consistent",
        rule="P@1 and P@3 are not better at any smaller d' than at the largest; each is a test, "
        "and the best is shown",
        judge=_never_falls,
    ),
    stated(
        place="Figure 2",
        says="The more labels there are, the smaller the share of them that suffices for d'",
        published="10% → 1.25%",
        rule="The least d' / L whose mean P@5 is within a point of the best falls as L grows",
        judge=_smaller_share,
    ),
)
