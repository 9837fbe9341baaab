"""The findings: one module for each, which says what it needs the records to show."""

from papers.evidence import Evidence
from papers.finding import Finding
from papers.findings import (
    accuracy,
    capacity,
    glas,
    learned,
    margins,
    markers,
    parts,
    plateau,
    search,
    step,
)

# In the order of the page, ten at most.
MODULES = (margins, parts, plateau, capacity, glas, learned, markers, accuracy, search, step)
# What a reader would repeat to a colleague: README has these.
IN_README = (margins, parts, plateau, capacity, glas)


def find_all(evidence: Evidence) -> list[Finding]:
    """Every finding that has its records."""
    found = [module.find(evidence) for module in MODULES]
    return [finding for finding in found if finding is not None]
