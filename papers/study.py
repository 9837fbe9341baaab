"""The study: every claim with its verdict, then the papers' tables and figures beside ours."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from matplotlib.figure import Figure

from hrrxml.report.markdown import markdown_table
from papers import codes, tools
from papers.claim import KINDS, VERDICTS, Claim, ledger
from papers.evidence import Evidence
from papers.glas import tables as glas_tables
from papers.glas import theorem
from papers.hrr import (
    capacity,
    composition,
    controls,
    datasets,
    dims,
    layers,
    learned,
    markers,
    speed,
    table1,
)

PAPERS = ("HRR", "GLaS", "ours")
# The sections in order. Each has CLAIMS and `markdown`, and `figures` if it draws.
MODULES: tuple[Any, ...] = (
    table1,
    dims,
    markers,
    layers,
    learned,
    controls,
    tools,
    datasets,
    capacity,
    composition,
    glas_tables,
    theorem,
    codes,
    speed,
)
INTRODUCTION = (
    "*Learning with Holographic Reduced Representations* (HRR) and *Breaking the Glass Ceiling for "
    "Embedding-Based Classifiers* (GLaS): what they state, and what this code measured. Metrics "
    "are percent of the whole test split; the epoch is chosen on the validation split. Every "
    "figure is the mean over seeds, ± their standard deviation, with the number of seeds beside "
    "it. Models differ only where a t-test over seeds shows a difference at 5%, and are the same "
    "only where two one-sided tests at 5% put their difference within one point."
)
RULES = (
    "Each claim is judged by checks of a stated rule, one for each dataset or setting. It holds if "
    "all checks pass, and in part if at least one does. ✗ marks a check that fails. ? marks one "
    "that is undecided: the seeds rule out neither a gain as large as the printed one (or one "
    "point, if none is printed) nor its absence. A claim is undecided if most of its checks are. "
    "One seed decides nothing. No correction is made for the number of tests: of twenty tests of "
    "equal models, one shows a difference. `papers/claims.yaml` names the runs behind each figure."
)
MARKS = {True: "", False: " ✗", None: " ?"}


def claims() -> tuple[Claim, ...]:
    """Every claim, by paper, in the order of the sections."""
    every = [claim for module in MODULES for claim in module.CLAIMS]
    return tuple(sorted(every, key=lambda claim: PAPERS.index(claim.paper)))


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    """How to draw every figure, by name."""
    drawings: dict[str, Callable[[], Figure]] = {}
    for module in MODULES:
        if hasattr(module, "figures"):
            drawings |= module.figures(evidence)
    return drawings


def markdown(evidence: Evidence) -> str:
    parts = ["# What was published, and what was measured", INTRODUCTION]
    parts += [ledger_markdown(ledger(claims(), evidence))]
    parts += [module.markdown(evidence) for module in MODULES]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def ledger_markdown(entries: list[dict[str, Any]]) -> str:
    """How many claims of each kind have each verdict, and a table of all claims."""
    counts = Counter((entry["kind"], entry["verdict"]) for entry in entries)
    summary = [["kind", *VERDICTS]]
    for kind in KINDS:
        summary.append([kind, *(str(counts[kind, verdict]) for verdict in VERDICTS)])
    columns = ("paper", "place", "kind", "claim", "published")
    rows = [[*columns, "verdict", "passed", "ours"]]
    for entry in entries:
        shown = [entry[column] for column in columns]
        rows.append([*shown, f"**{entry['verdict']}**", entry.get("passed", "–"), _ours(entry)])
    return "\n\n".join(
        [
            "## Claims: what holds",
            f"{len(entries)} claims: the papers', and ours about this code. {RULES}",
            markdown_table(summary),
            markdown_table(rows, text=len(rows[0])),
        ]
    )


def _ours(entry: dict[str, Any]) -> str:
    if "needs" in entry:
        return f"Needs {entry['needs']}"
    checks = [f"{c['where']}: {c['figure']}{MARKS[c['passed']]}" for c in entry["ours"]]
    parts = (entry["rule"], "; ".join(checks), entry.get("remark"))
    return ". ".join(part for part in parts if part)
