"""What a claim is, and how its verdict follows from the evidence.

A claim's `judge` makes a list of checks from the evidence, each passed or not by a rule that is
stated in words beside it. The verdict follows from the checks alone. Nobody writes it down.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from papers.evidence import Evidence
from papers.published import PUBLISHED
from papers.significance import Difference

HOLDS, IN_PART, FAILS = "holds", "holds in part", "does not hold"
# The same, where every check is on a dataset that the claim does not speak of.
SEEN, SEEN_IN_PART, ELSEWHERE = (
    "seen on our data",
    "seen on part of our data",
    "not seen on our data",
)
UNDECIDED, NOT_RUN, UNTESTED = "undecided", "not run", "not testable here"
VERDICTS = (HOLDS, IN_PART, FAILS, SEEN, SEEN_IN_PART, ELSEWHERE, UNDECIDED, NOT_RUN, UNTESTED)

FIGURE = "reproduced figure"
STATEMENT = "statement tested"
ARITHMETIC = "arithmetic on the paper's own tables"
OURS = "about our implementation"
KINDS = (FIGURE, STATEMENT, ARITHMETIC, OURS)

DATA = {  # the datasets that a paper's statements are about
    "HRR": frozenset(PUBLISHED["table1"]),
    "GLaS": frozenset([*PUBLISHED["glas"]["table3"], *PUBLISHED["glas"]["table4"]]),
}

Rule = Callable[..., bool | None]  # of one or more differences; None: they cannot tell


@dataclass(frozen=True)
class Check:
    """One comparison, such as on one dataset.

    It is passed or not by itself, or a rule decides by differences. Then the figure is a format
    of them, such as `{0} to the best tool`.
    """

    what: str
    figure: str = "{0}"
    passed: bool | None = None  # None: undecided
    runs: tuple[str, ...] = ()  # the records behind it
    gaps: tuple[Difference, ...] = ()
    rule: Rule | None = None

    def judged(self, tests: int) -> "Check":
        """Decide by the rule, as one of several tests of the same claim."""
        if self.rule is None:
            return self
        gaps = [gap.among(tests) for gap in self.gaps]
        shown = self.figure.format(*(gap.short for gap in gaps))
        return replace(self, figure=shown, passed=self.rule(*gaps), gaps=(), rule=None)


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
    testable: bool = True  # with data that could be had, and without a GPU
    remark: str = ""
    about: frozenset[str] | None = None  # datasets that it is stated of; None: all of the paper's

    @property
    def datasets(self) -> frozenset[str]:
        return DATA.get(self.paper, frozenset()) if self.about is None else self.about


def ledger(claims: Iterable[Claim], evidence: Evidence) -> list[dict[str, Any]]:
    """Every claim with our figures and its verdict. Runs with one seed decide nothing."""
    several = replace(
        evidence,
        cells={name: cell for name, cell in evidence.cells.items() if cell.seeds > 1},
        followed=[run for run in evidence.followed if len(run.gaps) > 1],
    )
    return [_entry(claim, several) for claim in claims]


def judge(checks: Iterable[Check]) -> list[Check]:
    """Decide each check. All tests of a claim together have the level of one."""
    listed = list(checks)
    tests = sum(len(check.gaps) for check in listed)
    return [check.judged(tests) for check in listed]


def verdict(checks: Sequence[Check], *, elsewhere: bool = False) -> str:
    """Undecided checks leave a claim undecided unless the decided ones outnumber them.

    `elsewhere`: on data that the claim does not speak of. There it can be seen or not, but it can
    neither hold nor fail.
    """
    decided = [check.passed for check in checks if check.passed is not None]
    if len(decided) <= len(checks) - len(decided):
        return UNDECIDED
    if all(decided):
        return SEEN if elsewhere else HOLDS
    if any(decided):
        return SEEN_IN_PART if elsewhere else IN_PART
    return ELSEWHERE if elsewhere else FAILS


def _is_elsewhere(check: Check, claim: Claim, evidence: Evidence) -> bool:
    """On a dataset that the claim does not speak of. What is said of our code is said of all."""
    datasets = {evidence.dataset_of(run) for run in check.runs}
    return claim.kind != OURS and bool(datasets) and not datasets & claim.datasets


def _entry(claim: Claim, evidence: Evidence) -> dict[str, Any]:
    checks = judge(claim.judge(evidence)) if claim.judge else []
    own = [check for check in checks if not _is_elsewhere(check, claim, evidence)]
    counted = own or checks  # where the claim can be judged on its own datasets, it is
    entry: dict[str, Any] = {
        "paper": claim.paper,
        "place": claim.place,
        "kind": claim.kind,
        "claim": claim.says,
        "published": claim.published,
    }
    if not checks:
        unknown = NOT_RUN if claim.testable else UNTESTED
        return entry | {"verdict": unknown, "needs": claim.needs}
    entry["verdict"] = verdict(counted, elsewhere=not own)
    entry |= {"rule": claim.rule, "passed": _passed(counted)}
    if others := [check for check in checks if check not in counted]:
        entry["passed"] += f"; on other data {_passed(others)}"
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
