"""§5.2 and appendix C: how many lines of code HRR takes."""

import ast
from collections.abc import Iterator
from pathlib import Path

from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.section import Section

EXAMPLE = Path(__file__).parents[2] / "examples" / "minimal_hrr.py"
PARTS = ("bind", "inverse", "project", "HRR")  # the algebra; the output layer with its loss
PUBLISHED = 22  # the two listings of appendix C have 10 and 12 lines with code
REMARK = (
    "Statements of examples/minimal_hrr.py, a line each, without comments and docstrings. *HRR* "
    "draws the vectors, has the loss and scores the labels."
)


def sections(evidence: Evidence) -> list[Section]:
    counted = count(EXAMPLE.read_text())
    rows = [["part", "lines"], *([name, str(lines)] for name, lines in counted.items())]
    rows.append(["together", str(sum(counted.values()))])
    return section("appendix C", "lines of code", REMARK, rows)


def count(code: str) -> dict[str, int]:
    """The statements of each part, each on a line."""
    parts = {node.name: node for node in ast.parse(code).body if isinstance(node, Definition)}
    return {name: len(_lines(parts[name])) for name in PARTS}


Definition = ast.FunctionDef | ast.ClassDef


def _lines(part: Definition) -> list[str]:
    for node in ast.walk(part):
        if isinstance(node, Definition) and ast.get_docstring(node):
            del node.body[0]
    return [line for line in ast.unparse(part).splitlines() if line.strip()]


def _as_short(_: Evidence) -> Iterator[Check]:
    counted = count(EXAMPLE.read_text())
    total = sum(counted.values())
    shown = ", ".join(f"{name} {lines}" for name, lines in counted.items())
    yield Check("examples/minimal_hrr.py", f"{total} lines ({shown})", total <= PUBLISHED)


CLAIMS = (
    statement(
        place="§5.2, appendix C",
        says="HRR can be implemented with 22 lines of code",
        published=f"{PUBLISHED} lines",
        rule="Ours for binding, inverse, projection, drawing the vectors, loss and scores has at "
        "most as many statements",
        judge=_as_short,
        remark="The paper's lines are those of appendix C, 10 and 12, which neither draw the "
        "vectors nor rank labels",
    ),
)
