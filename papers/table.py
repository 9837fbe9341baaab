"""Tables whose stars are corrected for the number of tests in the table."""

from collections.abc import Sequence

from hrrxml.report.markdown import markdown_table
from papers.significance import Difference

Rows = Sequence[Sequence[str | Difference]]


def table(rows: Rows, text: int = 1) -> str:
    """A table in Markdown. All differences in it together are tested at the level of one."""
    tests = sum(isinstance(value, Difference) for row in rows for value in row)
    return markdown_table([[_shown(value, tests) for value in row] for row in rows], text)


def _shown(value: str | Difference, tests: int) -> str:
    return value.among(tests).short if isinstance(value, Difference) else value
