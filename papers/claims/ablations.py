"""What the HRR paper says of its parameters: §5.5, Figures 2 and 8, Tables 4 and 5."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from hrrxml.report.significance import SAME, Difference, paired
from hrrxml.report.results import Cell
from papers.claims import Check, Claim
from papers.claims.rules import is_better, is_not_better, is_same, is_worse
from papers.evidence import Evidence
from papers.studies import dims, layers, learned, markers
from papers.studies.alike import Group

SMALL = 400  # d' up to which p and m had better be fixed


def _lines(evidence: Evidence) -> list[dims.Line]:
    return dims.lines(list(evidence.cells.values()), evidence.n_labels())


def _plateau(evidence: Evidence) -> Iterator[Check]:
    for line in _lines(evidence):
        dim = line.near_share()
        here, last = line.by_dim[dim], list(line.by_dim.values())[-1]
        if here is last:
            continue  # what comes after it was not tried
        gap = paired(here.metrics["P@5"], last.metrics["P@5"])
        where = f"{line.dataset}, d' = {dim} ({dim / line.n_labels:.0%}) less {max(line.by_dim)}"
        yield Check(where, gap.short, gap.gap >= -1, (here.name, last.name))


def _grows(evidence: Evidence) -> Iterator[Check]:
    for line in _lines(evidence):
        first, *_, last = line.by_dim.values()
        gap = paired(last.metrics["P@5"], first.metrics["P@5"])
        where = f"{line.dataset}, d' = {max(line.by_dim)} less {min(line.by_dim)}"
        yield Check(where, gap.short, is_better(gap), (first.name, last.name))


def _never_falls(*metrics: str) -> Callable[[Evidence], Iterator[Check]]:
    def judge(evidence: Evidence) -> Iterator[Check]:
        for line in _lines(evidence):
            *others, last = line.by_dim.values()
            for metric in metrics:
                best = max(others, key=lambda cell: cell.mean(metric))
                gap = paired(last.metrics[metric], best.metrics[metric])
                where = (
                    f"{line.dataset}, {metric}, d' = {max(line.by_dim)} less {markers.dim(best)}"
                )
                passed = None if (worse := is_worse(gap)) is None else not worse
                yield Check(where, gap.short, passed, (best.name, last.name))

    return judge


def _smaller_share(evidence: Evidence) -> Iterator[Check]:
    """What share comes within a point of the best, of neighbours by their number of labels."""
    lines = sorted(_lines(evidence), key=lambda line: line.n_labels)
    shares = [(line, share) for line in lines if (share := line.enough())]
    for (fewer, before), (more, after) in pairwise(shares):
        where = f"L = {fewer.n_labels:,} and {more.n_labels:,}"
        runs = (*_names(fewer), *_names(more))
        yield Check(where, f"{before:.0%} → {after:.0%}", after < before, runs)


def _names(line: dims.Line) -> list[str]:
    return [cell.name for cell in line.by_dim.values()]


def _other_shapes(
    groups: list[Group], passes: Callable[[Difference], bool | None]
) -> Iterator[Check]:
    """Every network of another shape, against 2 × 512 with the same output."""
    for group in groups:
        for shape, cell in sorted(group.items()):
            base = layers.base_of(shape, group)
            if base is not None and base is not cell:
                gap = paired(cell.metrics["P@5"], base.metrics["P@5"])
                where = f"{cell.dataset}, {_shown(shape)}"
                yield Check(where, gap.short, passes(gap), (base.name, cell.name))


def _shown(shape: tuple[object, ...]) -> str:
    dim = f", d' = {shape[2]}" if len(shape) > 2 else ""
    return f"{shape[0]} × {shape[1]}{dim}"


def _larger_baselines(evidence: Evidence) -> Iterator[Check]:
    return _other_shapes(layers.baselines(list(evidence.cells.values())), is_worse)


def _deeper_hrr(evidence: Evidence) -> Iterator[Check]:
    return _other_shapes(layers.holographic(list(evidence.cells.values())), is_same)


def _larger_hrr(evidence: Evidence) -> Iterator[Check]:
    """The largest d' with the largest network, against the least of both."""
    for group in layers.holographic(list(evidence.cells.values())):
        by_dim = sorted(group, key=lambda shape: (shape[2], shape))
        largest, least = by_dim[-1], by_dim[0]
        if largest[2] != least[2]:
            cell, base = group[largest], group[least]
            gap = paired(cell.metrics["P@5"], base.metrics["P@5"])
            where = f"{cell.dataset}, {_shown(largest)} less {_shown(least)}"
            yield Check(where, gap.short, is_better(gap, published=5.26), (base.name, cell.name))


def _benefits_less(evidence: Evidence) -> Iterator[Check]:
    """The best that another shape gains, for FC and for HRR-FC."""
    cells = list(evidence.cells.values())
    plain = {_dataset(group): group for group in layers.baselines(cells)}
    for group in layers.holographic(cells):
        fc, hrr = _best_gain(plain.get(_dataset(group), {})), _best_gain(group)
        if fc and hrr:
            shown = f"FC {fc[0]:+.2f}, HRR-FC {hrr[0]:+.2f}"
            yield Check(_dataset(group), shown, fc[0] < hrr[0], (*fc[1:], *hrr[1:]))


def _dataset(group: Group) -> str:
    return next(iter(group.values())).dataset


def _best_gain(group: Group) -> tuple[float, str, str] | None:
    """Over 2 × 512 with the same output: in P@5, and by which runs."""
    gains = [
        (cell.mean("P@5") - base.mean("P@5"), base.name, cell.name)
        for shape, cell in group.items()
        if (base := layers.base_of(shape, group)) and base is not cell
    ]
    return max(gains, default=None)


def _markers(evidence: Evidence, *, small: bool) -> Iterator[Check]:
    for fixed, free in markers.studied(list(evidence.cells.values())):
        if (markers.dim(fixed) <= SMALL) == small:
            gap = paired(fixed.metrics["P@5"], free.metrics["P@5"])
            passed = is_better(gap) if small else is_same(gap)
            yield Check(_at(fixed), gap.short, passed, (fixed.name, free.name))


def _learned(
    passes: Callable[[Difference], bool | None],
) -> Callable[[Evidence], Iterator[Check]]:
    def judge(evidence: Evidence) -> Iterator[Check]:
        for fixed, free in learned.studied(list(evidence.cells.values())):
            gap = paired(free.metrics["P@5"], fixed.metrics["P@5"])
            yield Check(_at(fixed), gap.short, passes(gap), (fixed.name, free.name))

    return judge


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
        "§5.5",
        "The trend is consistent across all P@k",
        "consistent",
        "P@1 and P@3 at the largest d' are not worse than at any smaller one, by a paired test",
        _never_falls("P@1", "P@3"),
    ),
    Claim(
        "HRR",
        "Figure 2",
        "A smaller share of the labels suffices the more there are",
        "10% → 1.25%",
        "The share of L at which P@5 comes within a point of the best is smaller on the next "
        "larger dataset",
        _smaller_share,
    ),
    Claim(
        "HRR",
        "§5.5, Table 4",
        "Even moderate changes to the baseline produce a drop",
        "46.64 → 41.92 to 47.91",
        "P@5 is worse than that of 2 × 512, by a paired test (of the paper's own one is better)",
        _larger_baselines,
    ),
    Claim(
        "HRR",
        "§5.5, Table 4",
        "A larger HRR-FC, with a larger d', gains",
        "53.25 → 58.51",
        "P@5 of the largest, with the largest d', is better than that of the least of both, by a "
        "paired test",
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
        "Table 4",
        "More layers or hidden neurons benefit the baseline less than HRR",
        "+1.27 and +1.52 at most",
        "The most that P@5 gains over 2 × 512 with the same output is less for FC",
        _benefits_less,
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
        _learned(is_not_better),
    ),
    Claim(
        "HRR",
        "§5.5, Table 5",
        "Nor does it make a difference",
        "−1.56 to +0.09",
        f"P@5 differs by at most {SAME:g} point",
        _learned(is_same),
    ),
)
