"""Appendix H: which labels a threshold of 0.5 selects."""

from collections.abc import Iterator
from statistics import mean

from hrrxml.report.results import Cell, measured
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement, table1
from papers.section import Section

HALF = 50.0  # percent
REMARK = (
    "HRR's runs of Table 1: as in the authors' code, as the paper says, and tuned. Precision and "
    "recall in percent, over all pairs of a test point and a label, if every label with a score of "
    "at least {threshold:g} is selected; labels per point, selected and true."
)


def sections(evidence: Evidence) -> list[Section]:
    rows = [["run", "precision", "recall", "selected", "true"]]
    cells = thresholded(evidence)
    for cell in cells:
        at = cell.at_threshold or {}
        true = evidence.datasets.get(cell.dataset, {}).get("labels_per_point")
        shown = [measured(at[key]) for key in ("precision", "recall", "per_point")]
        rows.append([cell.name, *shown, "–" if true is None else f"{true:.2f}"])
    remark = REMARK.format(threshold=(cells[0].at_threshold or {})["threshold"]) if cells else ""
    return section("appendix H (threshold)", "what a score of 0.5 selects", remark, rows)


def thresholded(evidence: Evidence) -> list[Cell]:
    """The runs of Table 1 that were scored at the threshold. HRR's head alone states one.

    Controls are left out, such as those with another loss: the paper says nothing of their scores.
    """
    cells = {row.hrr.name: row.hrr for row in table1.rows(evidence)}
    return [cell for cell in cells.values() if cell.at_threshold]


def _selects(evidence: Evidence) -> Iterator[Check]:
    for cell in thresholded(evidence):
        at = cell.at_threshold or {}
        precision, recall = mean(at["precision"]), mean(at["recall"])
        shown = f"precision {precision:.1f}, recall {recall:.1f}"
        yield Check(cell.name, shown, min(precision, recall) >= HALF, (cell.name,))


CLAIMS = (
    statement(
        place="appendix H (threshold)",
        says="A threshold of 0.5 selects the classes that are present",
        published="≈ 1 if present, ≈ 0 if not",
        rule="At least half of the labels that it selects are right, and it selects at least half "
        "of the right ones, on average over seeds",
        judge=_selects,
        needs="runs of Table 1 that were evaluated at the threshold",
        remark="Scores are cosines, as in appendix C. A query near the sum of n vectors has a "
        "cosine of about 1/√n with each: below 0.5 for more than four labels",
    ),
)
