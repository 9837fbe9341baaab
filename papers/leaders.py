"""Who leads on each dataset, and at what cost: ours, with no setting touched, or another tool."""

from collections.abc import Callable, Sequence
from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.markdown import markdown_table
from papers import by_group, expenses, pace
from papers.claim import Claim
from papers.contenders import SEVERAL, SINGLE, SIZE, Contender, Field, fields
from papers.evidence import Evidence
from papers.section import Section, paragraphs
from papers.significance import Difference

JUDGED = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5")
REMARK = (
    "All learn from the train and validation points and rank the same test points; ours holds out "
    "some of its points itself. No setting is touched: neither of ours, nor of the tools but for "
    "the modes that their packages document (Bonsai's trees, three PLTs, one tree). The tools read "
    "tf-idf of words, or the dataset's own features, each row of length 1; *ours* reads the texts "
    "where there are any, and *same features* what the tools read. Parabel and Bonsai have three "
    "trees each: they stand beside three seeds of ours, which rank by the mean of their "
    "probabilities. How the recipe chooses was set by hand on held-out points of these datasets, "
    "and test figures were seen meanwhile; medline's were among the reasons for trying no hidden "
    "layers there. So these datasets are not unseen, and others may turn out less well."
)
READING = (
    "Each cell has the gap of ours over the best of the tools by that metric, with its name. A gap "
    "below 0 means that the tool leads. Brackets have the 95% interval over test points and seeds; "
    "**bold** gaps are shown by a test that counts all cells of the table. PSP's interval takes "
    "the best possible gains as given."
)

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    known = fields(evidence)
    if not known:
        return []
    parts = [REMARK, READING]
    for title, rows in comparisons(known).items():
        parts += [f"#### {title}", *_lead(rows)]
    parts += ["#### By the labels' frequency", by_group.REMARK, by_group.table(known)]
    parts += ["#### Costs", expenses.REMARK + pace.HOW, expenses.beside(known)]
    parts += [
        pace.DRAWN,
        f"![P@1 against core-seconds](figures/{pace.SECONDS}.svg)",
        f"![P@1 against bytes](figures/{pace.BYTES}.svg)",
        expenses.EVERYTHING,
    ]
    for field in known:
        parts += [f"#### All that was measured on {field.dataset}", *expenses.everything(field)]
    return [Section("ours", "other tools", "who leads, and at what cost", paragraphs(parts))]


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    known = fields(evidence)
    if not known:
        return {}
    return {
        pace.SECONDS: partial(pace.draw, known, evidence, "train_seconds"),
        pace.BYTES: partial(pace.draw, known, evidence, "bytes"),
    }


def block(evidence: Evidence) -> str:
    """For docs/findings.md: one against one, three against ensembles, and the costs."""
    known = fields(evidence)
    if not known:
        return "Not yet recorded."
    parts = [REMARK, READING]
    for title, rows in comparisons(known).items():
        parts += [f"**{title}**", *_lead(rows)] if "same features" not in title else []
    parts += [by_group.REMARK, by_group.table(known)]
    return paragraphs([*parts, expenses.REMARK + pace.HOW, expenses.beside(known)])


Rows = dict[str, list[tuple[Difference, Contender] | None]]  # dataset → one for each metric


def comparisons(known: Sequence[Field]) -> dict[str, Rows]:
    """Title → what is compared."""
    one, several, every = SINGLE, SEVERAL, (*SINGLE, *SEVERAL)
    return {
        "One model against one model": _rows(known, one, lambda field: field.ours),
        "Three models against ensembles": _rows(
            known, several, lambda field: f"{field.ours}-{SIZE}"
        ),
        "One of ours against the best of all tools": _rows(known, every, lambda field: field.ours),
        "One model against one model, same features": _rows(known, one, lambda _: "features"),
    }


def _rows(known: Sequence[Field], tools: Sequence[str], ours: Callable[[Field], str]) -> Rows:
    return {
        field.dataset: [_gap(field, ours(field), tools, metric) for metric in JUDGED]
        for field in known
        if ours(field) in field.contenders
    }


def _gap(
    field: Field, ours: str, tools: Sequence[str], metric: str
) -> tuple[Difference, Contender] | None:
    tool = field.best(tools, metric)
    if tool is None:
        return None
    return field.difference(field.contenders[ours], tool, metric), tool


def _lead(rows: Rows) -> list[str]:
    """How many cells ours leads, how many a tool leads, and the table."""
    gaps = [gap for row in rows.values() for gap in row if gap is not None]
    if not gaps:
        return []
    words = f"{_count('Ours leads', gaps, 1)}. {_count('A tool leads', gaps, -1)}."
    table = [["dataset", *JUDGED]]
    for dataset, row in rows.items():
        table.append([dataset, *(_cell(gap, len(gaps)) for gap in row)])
    return [words, markdown_table(table)]


def _count(who: str, gaps: Sequence[tuple[Difference, Contender]], sign: int) -> str:
    """`Ours leads 5 of 7 cells: the interval agrees in 4, and a test over all cells in 3`."""
    ahead = [gap for gap, _ in gaps if sign * gap.gap > 0]
    agree, shown = (sum(gap.among(n).shows for gap in ahead) for n in (1, len(gaps)))
    return (
        f"{who} {len(ahead)} of {len(gaps)} cells: the interval agrees in {agree}, and a test "
        f"that counts all cells in {shown}"
    )


def _cell(gap: tuple[Difference, Contender] | None, tests: int) -> str:
    if gap is None:
        return "–"
    difference, tool = gap
    shown = f"{difference.gap:+.2f}"
    shown = f"**{shown}**" if difference.among(tests).shows else shown
    low, high = difference.interval
    brackets = f" [{low:+.2f}, {high:+.2f}]" if difference.parts else ""
    return f"{shown}{brackets} {tool.name}"
