"""The tables of README.md, from the results: what is between two markers is written, not typed.

python -m papers.readme    README.md: `<!-- table1 -->` to `<!-- end of table1 -->`, and others
"""

import re
from pathlib import Path

from hrrxml.config import params
from hrrxml.config.schema import Params
from hrrxml.report import results
from hrrxml.report.markdown import markdown_table
from hrrxml.runtime import command
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_text
from papers import claims, comparison, evidence
from papers.claims.catalogue import CLAIMS
from papers.studies import table1

PATH = Path("README.md")


def blocks(settings: Params) -> dict[str, str]:
    """What belongs between each pair of markers."""
    found = evidence.read(settings)
    return {
        "table1": _table1(table1.rows(found.cells)),
        "tools": comparison.headline(found.of_suite("accuracy"), found.peers),
        "claims": _claims(claims.ledger(CLAIMS, found)),
    }


def _table1(rows: list[table1.Row]) -> str:
    """A line for each baseline and its HRR model: the paper's, and ours in both settings."""
    lines = [["dataset and encoder", "paper", "ours, published setting", "ours, tuned"]]
    found: dict[tuple[str, str], dict[str, table1.Row]] = {}
    for row in rows:
        found.setdefault((row.dataset, row.encoder), {})[row.setting] = row
    for (dataset, encoder), settings in found.items():
        ours = [_ours(settings.get(each)) for each in ("published", "tuned")]
        printed = next(iter(settings.values())).printed("P@1")
        lines.append([f"{dataset}, {encoder}", _paper(printed), *ours])
    return markdown_table(lines)


def _paper(printed: list[float]) -> str:
    if not printed:
        return "–"
    baseline, hrr = printed
    return f"{baseline:g} → {hrr:g}: {hrr - baseline:+.1f}"


def _ours(row: table1.Row | None) -> str:
    if row is None:
        return "–"
    baseline, hrr = (results.measured(cell.metrics["P@1"]) for cell in (row.baseline, row.hrr))
    return f"{baseline} → {hrr}: {row.margin('P@1').short}"


def _claims(ledger: list[dict[str, str]]) -> str:
    """How many of each paper's have each verdict."""
    lines = [["paper", *claims.VERDICTS]]
    for paper in dict.fromkeys(entry["paper"] for entry in ledger):
        mine = [entry["verdict"] for entry in ledger if entry["paper"] == paper]
        lines.append([paper, *(str(mine.count(verdict)) for verdict in claims.VERDICTS)])
    return markdown_table(lines)


def fill(text: str, written: dict[str, str]) -> str:
    """The text with every block in place."""
    for name, block in written.items():
        marked = re.compile(f"<!-- {name} -->\n.*?<!-- end of {name} -->", re.DOTALL)
        if len(marked.findall(text)) != 1:
            raise UserError(f"{PATH}: needs `<!-- {name} -->` and `<!-- end of {name} -->`, once")
        put = f"<!-- {name} -->\n{block}\n<!-- end of {name} -->"
        text = marked.sub(lambda _, put=put: put, text)  # type: ignore[misc]
    return text


def main() -> None:
    write_text(PATH, fill(PATH.read_text(), blocks(params.load())))


if __name__ == "__main__":
    command.run(main)
