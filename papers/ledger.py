"""The ledger in words: how verdicts are reached, how many there are, and every claim."""

from collections import Counter
from typing import Any

from hrrxml.report.markdown import markdown_table
from papers.claim import KINDS, VERDICTS
from papers.section import slug

Entry = dict[str, Any]  # as in claims.yaml
RULES = (
    "Each claim is judged by checks of a stated rule, one for each dataset or setting. It holds if "
    "all checks pass, and in part if at least one does. ✗ marks a check that fails. ? marks one "
    "that is undecided: the seeds rule out neither a gain as large as the printed one (or one "
    "point, if none is printed) nor its absence. A claim is undecided if most of its checks are. "
    "One seed decides nothing. No correction is made for the number of tests: of twenty tests of "
    "equal models, one shows a difference. `papers/claims.yaml` names the runs behind each figure."
)


def anchor(claim: str) -> str:
    """The id of a claim on the page, from what it says."""
    return f"claim-{slug(claim)}"


def introduction(entries: list[Entry]) -> str:
    """The rules, and how many claims of each kind have each verdict."""
    counts = Counter((entry["kind"], entry["verdict"]) for entry in entries)
    rows = [["kind", *VERDICTS]]
    for kind in KINDS:
        rows.append([kind, *(str(counts[kind, verdict]) for verdict in VERDICTS)])
    words = f"{len(entries)} claims: the papers', and ours about this code. {RULES}"
    return f"{words}\n\n{markdown_table(rows)}"
