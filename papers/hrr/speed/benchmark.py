"""The table of a benchmark, and claims that are judged row by row."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hrrxml.report.markdown import markdown_table
from papers.claim import Check, Judge
from papers.evidence import Evidence
from papers.published import PUBLISHED
from papers.section import Section, paragraphs

Row = Mapping[str, Any]
Rows = dict[str, Row]


def by_shape(measured: Row) -> Rows:
    """A row for each of the paper's datasets whose shape was measured."""
    return {shape: measured[shape] for shape in PUBLISHED["table6"] if shape in measured}


def by_labels(measured: Row) -> Rows:
    """A row for each number of labels that was measured."""
    return {f"{row['labels']:,}": row for row in measured.get("grid", [])}


@dataclass(frozen=True, kw_only=True)
class Table:
    """The table of one benchmark."""

    benchmark: str
    paper: str
    place: str
    title: str
    remark: str
    first: str  # title of the column that names the rows
    columns: str  # of the others, `title: key of a row | …`
    covers: tuple[str, ...] = ()  # other places whose claims belong here
    arrange: Callable[[Row], Rows] = by_shape  # what was measured → rows by the first column

    def measured(self, evidence: Evidence) -> Row:
        """What the record has; nothing if the benchmark was not run."""
        measured: Row = evidence.benchmarks.get(self.benchmark, {})
        return measured

    def rows(self, evidence: Evidence) -> Rows:
        return self.arrange(self.measured(evidence))

    def section(self, evidence: Evidence, *more: str, note: str = "") -> list[Section]:
        """The table with what precedes and follows it; none if the benchmark was not run."""
        rows = self.rows(evidence)
        if not rows:
            return []
        columns = [column.split(": ") for column in self.columns.split(" | ")]
        lines = [[self.first, *(title for title, _ in columns)]]
        lines += [
            [first, *(show(key, row.get(key)) for _, key in columns)] for first, row in rows.items()
        ]
        remark = self.remark + (note or self._conditions(evidence))
        body = paragraphs([remark, markdown_table(lines), *more])
        return [Section(self.paper, self.place, self.title, body, self.covers)]

    def _conditions(self, evidence: Evidence) -> str:
        """How often and on how many threads it was timed."""
        measured = self.measured(evidence)
        conditions = {**next(iter(self.rows(evidence).values())), **measured}
        if "threads" not in conditions:
            return ""
        return f" Medians of {conditions['repeats']} on {conditions['threads']} threads."

    def each(self, check: Callable[[str, Row], tuple[str, bool]], *names: str) -> Judge:
        """Judge every row, or those named: our figure, and whether it passes."""

        def judge(evidence: Evidence) -> Iterator[Check]:
            for name, row in self.rows(evidence).items():
                if not names or name in names:
                    yield Check(name, *check(name, row))

        return judge

    @property
    def needs(self) -> str:
        """What a claim about it needs."""
        return f"the benchmark `{self.benchmark}` (suite {self._suite})"

    @property
    def _suite(self) -> str:
        return "size" if self.benchmark == "sizes" else "speed"


def show(key: str, value: Any) -> str:
    """The key's ending says the unit."""
    if value is None or isinstance(value, str):
        return value or "–"
    if key.endswith("_bytes"):
        return f"{value / 1e6:,.3g} MB" if value < 1e9 else f"{value / 1e9:,.2f} GB"
    if key.endswith(("speed_up", "_over_fc")):
        return f"{value:.2f}×"
    if key.endswith(("_saved", "_recall")):
        return f"{value:.2f}"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.3g}" if value < 1000 else f"{value:,.0f}"


def span(values: Iterable[float], unit: str) -> str:
    """`0.35× to 6.28×`."""
    ordered = sorted(values)
    return f"{ordered[0]:.2f}{unit} to {ordered[-1]:.2f}{unit}"
