"""The claims ledger: what both papers state in numbers, and what our numbers say to it.

A claim's `judge` makes a list of checks from the evidence, each true or false by a rule that is
stated in words beside it. The verdict follows from them alone: nobody writes it down.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from hrrxml.report.markdown import markdown_table
from papers.evidence import Evidence

VERDICTS = ("holds", "holds in part", "does not hold", "not testable here")
UNTESTED = VERDICTS[3]


@dataclass(frozen=True)
class Check:
    """One comparison, such as on one dataset."""

    what: str
    figure: str
    passed: bool | None  # None: too few seeds to tell
    runs: tuple[str, ...] = ()  # behind it


@dataclass(frozen=True)
class Claim:
    paper: str  # HRR or GLaS
    place: str
    says: str
    published: str
    rule: str  # when a check is passed
    judge: Callable[[Evidence], Iterable[Check]] | None = None
    needs: str = "its runs here, of two seeds at least (see suites/)"
    remark: str = ""


def ledger(claims: Iterable[Claim], evidence: Evidence) -> list[dict[str, Any]]:
    """Every claim with our figures and the verdict; a single seed decides nothing."""
    several = replace(
        evidence,
        cells={name: cell for name, cell in evidence.cells.items() if cell.seeds > 1},
        followed=[run for run in evidence.followed if len(run.gaps) > 1],
    )
    return [_entry(claim, several) for claim in claims]


def verdict(tests: list[Check]) -> str:
    decided = [test.passed for test in tests if test.passed is not None]
    if not decided:
        return UNTESTED
    return VERDICTS[0] if all(decided) else VERDICTS[1] if any(decided) else VERDICTS[2]


def _entry(claim: Claim, evidence: Evidence) -> dict[str, Any]:
    tests = list(claim.judge(evidence)) if claim.judge else []
    entry: dict[str, Any] = {
        "paper": claim.paper,
        "place": claim.place,
        "claim": claim.says,
        "published": claim.published,
        "verdict": verdict(tests),
    }
    if not tests:
        return entry | {"needs": claim.needs}
    if entry["verdict"] == UNTESTED:
        entry["needs"] = "more seeds: those here rule out neither the claim nor its opposite"
    entry |= {"rule": claim.rule, "passed": _passed(tests)}
    entry["ours"] = [
        {"where": test.what, "figure": test.figure, "passed": test.passed} for test in tests
    ]
    entry["runs"] = list(dict.fromkeys(run for test in tests for run in test.runs))
    return entry | ({"remark": claim.remark} if claim.remark else {})


def _passed(tests: list[Check]) -> str:
    decided = [test.passed for test in tests if test.passed is not None]
    undecided = len(tests) - len(decided)
    counted = f"{sum(decided)} of {len(decided)}"
    return f"{counted}, {undecided} undecided" if undecided else counted


def markdown(entries: list[dict[str, Any]]) -> str:
    """How many of each verdict, and a table of all."""
    counts = [sum(entry["verdict"] == verdict for entry in entries) for verdict in VERDICTS]
    summary = "{} hold, {} hold in part, {} do not hold, {} cannot be tested here".format(*counts)
    rows = [["paper", "place", "claim", "published", "verdict", "passed", "ours"]]
    for entry in entries:
        shown = [entry[key] for key in ("paper", "place", "claim", "published")]
        rows.append([*shown, f"**{entry['verdict']}**", entry.get("passed", "–"), _ours(entry)])
    return "\n\n".join(
        [
            "## Claims: what holds",
            f"Of {len(entries)} statements that can be measured in both papers {summary}. Each is "
            "judged by tests of a stated rule, one for a dataset or a setting: it holds if all are "
            "passed (what is not is marked ✗), in part if some are. A test is left undecided (?) "
            "where the seeds rule out neither a gain as large as the published one (or, where "
            "none is published, a point) nor its absence; single seeds decide nothing. Among many "
            "tests of equals one in twenty shows a difference: no correction is made. The runs "
            "behind each figure are in `results/claims.yaml`.",
            markdown_table(rows, text=7),
        ]
    )


def _ours(entry: dict[str, Any]) -> str:
    if "ours" not in entry:
        return f"it would take {entry['needs']}"
    marks = {True: "", False: " ✗", None: " ?"}
    shown = "; ".join(f"{t['where']}: {t['figure']}{marks[t['passed']]}" for t in entry["ours"])
    parts = [entry["rule"], shown, entry.get("remark")]
    parts.append(f"It would take {entry['needs']}" if "needs" in entry else None)
    return ". ".join(part for part in parts if part)
