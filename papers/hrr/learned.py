"""Table 5: label vectors c learned through the projection, or fixed (§5.5)."""

from collections.abc import Iterator
from functools import partial

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.alike import Rule, compare, difference, dim_of, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import controls, section, statement
from papers.published import PUBLISHED
from papers.rules import is_not_better, is_same
from papers.section import Section
from papers.significance import Difference

stated = partial(statement, about=frozenset({"wiki10-31k"}))
REMARK = (
    "P@5, mean ± standard deviation (seeds), tuned settings. Fixed and learned vectors start at "
    "the same random values. In the last column the learned ones are not projected. A star marks "
    "one that a test over seeds and test points shows."
)
WIKI = "The paper's figures, P@5 on Wiki10-31K:"


def studied(evidence: Evidence) -> list[tuple[Cell, Cell]]:
    """Pairs of fixed and learned c, projected and otherwise alike, by dataset and d'."""
    cells = evidence.all_cells
    projected = [cell for cell in cells if cell.settings.get("hrr", {}).get("projection")]
    both = pairs(projected, "hrr", codebook=("random", "learned"))
    return sorted(both, key=lambda pair: (pair[0].dataset, dim_of(pair[0])))


def sections(evidence: Evidence) -> list[Section]:
    header = ["dataset", "d'", "fixed c", "learned c", "learned less fixed", "P@1"]
    rows: list[list[str | Difference]] = [[*header, "learned, no projection"]]
    unprojected = {
        usual.name: measured(control.metrics["P@5"])
        for usual, control in controls.studied(evidence, "unprojected", codebook="learned")
    }
    for fixed, learned in studied(evidence):
        shown = [measured(cell.metrics["P@5"]) for cell in (fixed, learned)]
        gaps = [difference(learned, fixed, metric) for metric in ("P@5", "P@1")]
        free = unprojected.get(learned.name, "–")
        rows.append([fixed.dataset, str(dim_of(fixed)), *shown, *gaps, free])
    return section("Table 5", "learned label vectors", REMARK, rows, WIKI, _printed())


def _printed() -> str:
    """The paper's table."""
    rows = [["hidden", "d'", "fixed c", "learned c", "learned less fixed"]]
    for hidden, dim, fixed, learned in PUBLISHED["table5"]:
        figures = [f"{fixed:.2f}", f"{learned:.2f}", f"{learned - fixed:+.2f}"]
        rows.append([str(hidden), str(dim), *figures])
    return markdown_table(rows)


def _learned(evidence: Evidence, rule: Rule) -> Iterator[Check]:
    for fixed, learned in studied(evidence):
        yield compare(f"{fixed.dataset}, d' = {dim_of(fixed)}", learned, fixed, "P@5", rule)


CLAIMS = (
    stated(
        place="§5.5, Table 5",
        says="Learning the label vectors c has no benefit",
        published="−1.56 to +0.09",
        rule="P@5 with learned c is not better",
        judge=partial(_learned, rule=is_not_better),
    ),
    stated(
        place="§5.5, Table 5",
        says="Learning the label vectors c makes no difference",
        published="−1.56 to +0.09",
        rule="P@5 with learned and with fixed c is the same (two one-sided tests, margin 1 point)",
        judge=partial(_learned, rule=is_same),
    ),
)
