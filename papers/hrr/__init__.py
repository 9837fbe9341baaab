"""The paper on Holographic Reduced Representations: one module for each table or figure.

Each selects its records, and offers `markdown(evidence)`, `CLAIMS`, and, where it draws,
`figures(evidence)`.
"""

from functools import partial

from hrrxml.report.markdown import markdown_table
from papers.claim import ARITHMETIC, FIGURE, OURS, STATEMENT, Claim

figure = partial(Claim, paper="HRR", kind=FIGURE)
statement = partial(Claim, paper="HRR", kind=STATEMENT)
arithmetic = partial(Claim, paper="HRR", kind=ARITHMETIC)
ours = partial(Claim, paper="HRR", kind=OURS)


def section(title: str, remark: str, rows: list[list[str]], *more: str, text: int = 1) -> str:
    """A title, a remark, a table and what follows it; nothing if the table has only a header."""
    table = markdown_table(rows, text)
    return "\n\n".join([f"## {title}", remark, table, *more]) if len(rows) > 1 else ""
