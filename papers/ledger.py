"""The ledger in words: how verdicts are reached, how many there are, and every claim."""

from collections import Counter
from typing import Any

from hrrxml.report.markdown import markdown_table
from papers.claim import VERDICTS
from papers.section import slug

Entry = dict[str, Any]  # as in claims.yaml
RULES = (
    "Each claim is judged by checks of a stated rule, one for each dataset or setting. It *holds* "
    "if all checks that decide pass, *in part* if some do, and *does not hold* if none does. "
    "Checks on datasets that the paper does not speak of count only where there are no others. "
    "They can neither prove nor refute what it says of its own, so the claim is then *seen on our "
    "data*, *on part of it*, or *not seen* there. ✗ marks a check that fails, ? one that is "
    "undecided. A claim is *undecided* unless more checks decide than do not. *Not run* means that "
    "it could be tested here, *not testable here* that it could not: its data could not be had, or "
    "needs a GPU. `papers/claims.yaml` names the runs behind each figure.\n\n"
    "Why these rules are fair to the papers:\n\n"
    "- *Better* and *worse*: a test over seeds and test points shows it. The claim fails only if "
    "an interval rules out a gain as large as the printed one (one point, if none is printed), so "
    "that noise cannot refute it.\n"
    "- *The same* and *not below*: one-sided tests with a margin of one point, which is less than "
    "most differences that the papers report.\n"
    "- All tests of a claim together, and all stars of a table together, err in at most one case "
    "of twenty (Bonferroni), so that a claim tried on many datasets is not refuted by one of them "
    "by chance.\n"
    "- A printed figure is *met* within 1.5 points. Where the authors' code and the paper's text "
    "differ, both are tried, each as a check of its own. What is said of most datasets is counted "
    "by datasets.\n"
    "- One seed decides nothing."
)


def anchor(claim: str) -> str:
    """The id of a claim on the page, from what it says."""
    return f"claim-{slug(claim)}"


def introduction(entries: list[Entry]) -> str:
    """The rules, and how many claims have each verdict."""
    words = f"{len(entries)} claims: the papers', and ours about this code. {RULES}"
    return f"{words}\n\n{counts(entries)}"


def counts(entries: list[Entry]) -> str:
    """How many claims of each paper have each verdict. A phone can show a verdict a line."""
    papers = list(dict.fromkeys(entry["paper"] for entry in entries))
    found = Counter((entry["verdict"], entry["paper"]) for entry in entries)
    rows = [["verdict", *papers]]
    rows += [[verdict, *(str(found[verdict, paper]) for paper in papers)] for verdict in VERDICTS]
    return markdown_table(rows)
