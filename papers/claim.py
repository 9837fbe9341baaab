"""What a claim is, and how its verdict follows from the evidence.

A claim's `judge` makes a list of checks from the evidence, each passed or not by a rule that is
stated in words beside it. The verdict follows from the checks alone. Nobody writes it down.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from papers.evidence import Evidence

HOLDS, IN_PART, FAILS = "holds", "holds in part", "does not hold"
UNDECIDED, UNTESTED = "undecided", "not testable here"
VERDICTS = (HOLDS, IN_PART, FAILS, UNDECIDED, UNTESTED)

FIGURE = "reproduced figure"
STATEMENT = "statement tested"
ARITHMETIC = "arithmetic on the paper's own tables"
OURS = "about our implementation"
KINDS = (FIGURE, STATEMENT, ARITHMETIC, OURS)


@dataclass(frozen=True)
class Check:
    """One comparison, such as on one dataset."""

    what: str
    figure: str
    passed: bool | None  # None: there are too few seeds to tell
    runs: tuple[str, ...] = ()  # the records behind it


Judge = Callable[[Evidence], Iterable[Check]]


@dataclass(frozen=True, kw_only=True)
class Claim:
    paper: str  # HRR or GLaS
    place: str
    kind: str
    says: str
    published: str
    rule: str = ""  # when a check is passed
    judge: Judge | None = None
    needs: str = "its runs with two seeds or more (see suites/)"
    remark: str = ""


def ledger(claims: Iterable[Claim], evidence: Evidence) -> list[dict[str, Any]]:
    """Every claim with our figures and its verdict. Runs with one seed decide nothing."""
    several = replace(
        evidence,
        cells={name: cell for name, cell in evidence.cells.items() if cell.seeds > 1},
        followed=[run for run in evidence.followed if len(run.gaps) > 1],
    )
    return [_entry(claim, several) for claim in claims]


def verdict(checks: list[Check]) -> str:
    """Undecided checks that outnumber the decided ones leave the claim undecided."""
    decided = [check.passed for check in checks if check.passed is not None]
    if not checks:
        return UNTESTED
    if len(decided) < len(checks) - len(decided):
        return UNDECIDED
    return HOLDS if all(decided) else IN_PART if any(decided) else FAILS


def _entry(claim: Claim, evidence: Evidence) -> dict[str, Any]:
    checks = list(claim.judge(evidence)) if claim.judge else []
    entry: dict[str, Any] = {
        "paper": claim.paper,
        "place": claim.place,
        "kind": claim.kind,
        "claim": claim.says,
        "published": claim.published,
        "verdict": verdict(checks),
    }
    if not checks:
        return entry | {"needs": claim.needs}
    entry |= {"rule": claim.rule, "passed": _passed(checks)}
    entry["ours"] = [
        {"where": check.what, "figure": check.figure, "passed": check.passed} for check in checks
    ]
    entry["runs"] = list(dict.fromkeys(run for check in checks for run in check.runs))
    return entry | ({"remark": claim.remark} if claim.remark else {})


def _passed(checks: list[Check]) -> str:
    """`3 of 4, 2 undecided`."""
    decided = [check.passed for check in checks if check.passed is not None]
    undecided = len(checks) - len(decided)
    counted = f"{sum(decided)} of {len(decided)}"
    return f"{counted}, {undecided} undecided" if undecided else counted
