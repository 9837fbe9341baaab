"""The ledger in words: how verdicts are reached, how many there are, and every claim."""

from collections import Counter
from typing import Any

from hrrxml.report.markdown import markdown_table
from papers.claim import KINDS, VERDICTS
from papers.section import slug

Entry = dict[str, Any]  # as in claims.yaml
RULES = (
    "Each claim is judged by checks of a stated rule, one for each dataset or setting. It holds if "
    "all checks that decide pass, and in part if at least one does. It *does not hold* only if it "
    "fails on data that the paper speaks of (or needs no data); where it fails on other datasets "
    "alone, it is *not seen on our data*. ✗ marks a check that fails, ? one that is undecided. A "
    "claim is *undecided* unless more checks decide than do not. `papers/claims.yaml` names the "
    "runs behind each figure.\n\n"
    "Why these rules are fair to the papers:\n\n"
    "- *Better* and *worse*: a test over seeds and test points shows it. The claim fails only if "
    "an interval rules out a gain as large as the printed one (one point, if none is printed), so "
    "that noise cannot refute it.\n"
    "- *The same* and *not below*: one-sided tests with a margin of one point, which is less than "
    "most differences that the papers report.\n"
    "- All tests of a claim together, and all stars of a table together, err in one case of "
    "twenty (Bonferroni), so that a claim tried on many datasets is not refuted by one of them by "
    "chance.\n"
    "- A printed figure is *met* within 1.5 points. Where the authors' code and the paper's text "
    "differ, both are tried, each as a check of its own.\n"
    "- One seed decides nothing."
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
