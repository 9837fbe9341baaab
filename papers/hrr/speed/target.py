"""What our own code was to reach: claims about this implementation, with a figure to meet."""

from collections.abc import Callable, Iterator
from math import inf

from papers.claim import OURS, Check, Claim
from papers.evidence import Evidence
from papers.hrr.speed.benchmark import Row, Table

Select = Callable[[Row], dict[str, float]]  # what was measured → the judged values, by place


def target(
    table: Table,
    says: str,
    select: Select,
    *,
    least: float = 0.0,
    most: float = inf,
    unit: str = "×",
) -> Claim:
    wanted = f"at most {most:,g}{unit}" if most < inf else f"at least {least:,g}{unit}"

    def judge(evidence: Evidence) -> Iterator[Check]:
        if measured := table.measured(evidence):
            for where, value in select(measured).items():
                yield Check(where, f"{value:,.2f}{unit}", least <= value <= most)

    return Claim(
        paper="ours",
        place=f"benchmark {table.benchmark}",
        kind=OURS,
        says=says,
        published=wanted,
        rule=f"Measured on two cores: {wanted}",
        judge=judge,
        needs=table.needs,
    )


def of(key: str, *names: str) -> Select:
    """What was measured on these shapes."""
    return lambda measured: {name: measured[name][key] for name in names if name in measured}
