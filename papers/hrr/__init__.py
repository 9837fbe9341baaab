"""The paper on Holographic Reduced Representations: one module for each table or figure.

Each selects its records, and offers `sections(evidence)`, `CLAIMS`, and, where it draws,
`figures(evidence)`.
"""

from functools import partial

from papers.claim import ARITHMETIC, FIGURE, OURS, STATEMENT, Claim
from papers.section import Section, paragraphs
from papers.table import Rows, table

figure = partial(Claim, paper="HRR", kind=FIGURE)
statement = partial(Claim, paper="HRR", kind=STATEMENT)
arithmetic = partial(Claim, paper="HRR", kind=ARITHMETIC)
ours = partial(Claim, paper="HRR", kind=OURS)


def section(
    place: str, title: str, remark: str, rows: Rows, *more: str, text: int = 1
) -> list[Section]:
    """A remark, a table and what follows it; no section if the table has only a header."""
    if len(rows) == 1:
        return []
    return [Section("HRR", place, title, paragraphs([remark, table(rows, text), *more]))]
