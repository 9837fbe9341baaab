"""Co-occurrence in holographic codes: labels that co-occur share a slot of similar bases."""

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import by_dataset, measured
from papers.claim import Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs
from papers.tools import JUDGED, difference_table, differences

PLAIN, GROUPED = "holographic-narrow-fc", ("grouped-fc", "grouped-strong-fc")
PAIRS = [(ours, PLAIN) for ours in GROUPED]
REMARK = (
    "Few dimensions, so that each base has many labels. The head `grouped` puts labels that "
    "co-occur into the same slot of similar bases, whose cosine is 0.3 or (strong) 0.6; "
    "`holographic-narrow-fc` does not. Mean ± deviation (seeds); a star marks a difference that a "
    "test shows."
)

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    cells = [c for c in evidence.of_suite("codes") if c.model in (PLAIN, *GROUPED)]
    if not any(cell.model in GROUPED for cell in cells):
        return []
    rows = [["dataset", "model", *JUDGED]]
    for dataset, group in by_dataset(cells).items():
        for cell in group:
            rows.append([dataset, cell.model, *(measured(cell.metrics[m]) for m in JUDGED)])
    table = markdown_table(rows, text=2)
    gaps = difference_table(differences(cells, PAIRS))
    title = "labels that co-occur have similar codes"
    return [Section("ours", "co-occurrence", title, paragraphs([REMARK, table, gaps]))]
