"""What the HRR paper says of its parameters: §5.5, Figures 2 and 8, Tables 4 and 5."""

from collections.abc import Callable, Iterator

from hrrxml.claims import Check, Claim
from hrrxml.evidence import Evidence
from hrrxml.results import Cell
from hrrxml.significance import SAME, Difference, paired
from hrrxml.studies import dims, layers, learned, markers
from hrrxml.studies.alike import Group

SMALL = 400  # d' up to which p and m had better be fixed


def _lines(evidence: Evidence) -> list[dims.Line]:
    return dims.lines(list(evidence.cells.values()), evidence.n_labels())


def _plateau(evidence: Evidence) -> Iterator[Check]:
    for line in _lines(evidence):
        dim = line.near_share()
        here, last = line.by_dim[dim], list(line.by_dim.values())[-1]
        gap = paired(here.metrics["P@5"], last.metrics["P@5"])
        where = f"{line.dataset}, d' = {dim} ({dim / line.n_labels:.0%}) less {max(line.by_dim)}"
        yield Check(where, gap.short, gap.gap >= -1, (here.name, last.name))


def _grows(evidence: Evidence) -> Iterator[Check]:
    for line in _lines(evidence):
        first, *_, last = line.by_dim.values()
        gap = paired(last.metrics["P@5"], first.metrics["P@5"])
        where = f"{line.dataset}, d' = {max(line.by_dim)} less {min(line.by_dim)}"
        yield Check(where, gap.short, gap.better, (first.name, last.name))


def _groups(evidence: Evidence, *, baseline: bool) -> list[Group]:
    found = layers.studied(list(evidence.cells.values()))
    return [group for group in found if (len(next(iter(group))) == 2) == baseline]


def _other_shapes(
    evidence: Evidence, *, baseline: bool, passes: Callable[[Difference], bool]
) -> Iterator[Check]:
    """Every network of another shape, against 2 × 512 with the same output."""
    for group in _groups(evidence, baseline=baseline):
        for shape, cell in sorted(group.items()):
            base = layers.base_of(shape, group)
            if base is not None and base is not cell:
                gap = paired(cell.metrics["P@5"], base.metrics["P@5"])
                dim = "" if baseline else f", d' = {shape[2]}"
                where = f"{cell.dataset}, {shape[0]} × {shape[1]}{dim}"
                yield Check(where, gap.short, passes(gap), (base.name, cell.name))


def _larger_baselines(evidence: Evidence) -> Iterator[Check]:
    return _other_shapes(evidence, baseline=True, passes=lambda gap: not gap.better)


def _deeper_hrr(evidence: Evidence) -> Iterator[Check]:
    return _other_shapes(evidence, baseline=False, passes=lambda gap: abs(gap.gap) <= SAME)


def _larger_hrr(evidence: Evidence) -> Iterator[Check]:
    for group in _groups(evidence, baseline=False):
        largest, least = max(group), min(group)  # more layers, more units, more d'
        cell, base = group[largest], group[least]
        gap = paired(cell.metrics["P@5"], base.metrics["P@5"])
        where = f"{cell.dataset}, {largest[0]} × {largest[1]}, d' = {largest[2]}"
        yield Check(where, gap.short, gap.better, (base.name, cell.name))


def _markers(evidence: Evidence, *, small: bool) -> Iterator[Check]:
    for fixed, free in markers.studied(list(evidence.cells.values())):
        if (markers.dim(fixed) <= SMALL) == small:
            gap = paired(fixed.metrics["P@5"], free.metrics["P@5"])
            passed = gap.better if small else abs(gap.gap) <= SAME
            yield Check(_at(fixed), gap.short, passed, (fixed.name, free.name))


def _learned(evidence: Evidence, *, benefit: bool) -> Iterator[Check]:
    for fixed, free in learned.studied(list(evidence.cells.values())):
        gap = paired(free.metrics["P@5"], fixed.metrics["P@5"])
        passed = not gap.better if benefit else abs(gap.gap) <= SAME
        yield Check(_at(fixed), gap.short, passed, (fixed.name, free.name))


def _at(cell: Cell) -> str:
    return f"{cell.dataset}, d' = {markers.dim(cell)}"


CLAIMS = (
    Claim(
        "HRR",
        "§5.5, Figure 2",
        "P@5 has reached its plateau at d' ≤ 10% of L",
        "10% (Delicious-200K: 1.25%)",
        "P@5 at the d' nearest to a tenth of L is at most a point below that at the largest d'",
        _plateau,
        remark="The paper's have 13,330 labels and more",
    ),
    Claim(
        "HRR",
        "§5.5, Figure 2",
        "P@5 grows with d'",
        "grows",
        "P@5 at the largest d' is better than at the least, by a paired test",
        _grows,
    ),
    Claim(
        "HRR",
        "§5.5, Table 4",
        "Even moderate changes to the baseline produce a drop",
        "46.64 → 41.92 to 47.91",
        "P@5 is not better than that of 2 × 512, by a paired test (one of the paper's own is)",
        _larger_baselines,
    ),
    Claim(
        "HRR",
        "§5.5, Table 4",
        "A larger HRR-FC, with a larger d', gains",
        "53.25 → 58.51",
        "P@5 of the largest is better than that of 2 × 512, by a paired test",
        _larger_hrr,
    ),
    Claim(
        "HRR",
        "§5.5, Table 4",
        "More layers or hidden neurons have minor impact on HRR-FC",
        "minor",
        f"P@5 differs from that of 2 × 512 by at most {SAME:g} point",
        _deeper_hrr,
    ),
    Claim(
        "HRR",
        "§5.5, Figure 8",
        "p and m are better fixed at d' ≤ 400",
        "fixed better",
        "P@5 is better by a paired test",
        lambda evidence: _markers(evidence, small=True),
    ),
    Claim(
        "HRR",
        "§5.5, Figure 8",
        "Above that, learning them has no impact",
        "no impact",
        f"P@5 differs by at most {SAME:g} point",
        lambda evidence: _markers(evidence, small=False),
    ),
    Claim(
        "HRR",
        "§5.5, Table 5",
        "Learning the label vectors c has no benefit",
        "−1.56 to +0.09",
        "P@5 is not better by a paired test",
        lambda evidence: _learned(evidence, benefit=True),
    ),
    Claim(
        "HRR",
        "§5.5, Table 5",
        "Nor does it make a difference",
        "−1.56 to +0.09",
        f"P@5 differs by at most {SAME:g} point",
        lambda evidence: _learned(evidence, benefit=False),
    ),
)
