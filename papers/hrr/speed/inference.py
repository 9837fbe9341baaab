"""§5.4: how long inference takes with FC's output layer and with HRR's."""

from papers.evidence import Evidence
from papers.hrr import statement
from papers.hrr.speed.benchmark import Row, Table
from papers.section import Section

TABLE = Table(
    benchmark="inference",
    paper="HRR",
    place="§5.4",
    title="inference by FC's output layer and by HRR's",
    remark="From the encoder's 512 units to the five best labels of a batch.",
    covers=("appendix H (seed)", "appendix H (threshold)"),
    first="shape",
    columns="batch: batch | labels: labels | d': dim | FC, ms: fc_ms | "
    "HRR, stored vectors, ms: hrr_ms | HRR, circulant, ms: circulant_ms | "
    "stored over FC: hrr_over_fc | circulant over FC: circulant_over_fc",
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)


def _same_time(_: str, row: Row) -> tuple[str, bool]:
    ratio, circulant = row["hrr_over_fc"], row["circulant_over_fc"]
    shown = f"{ratio:.2f}× FC's time, d' = {row['dim']} ({circulant:.2f}× with circulant vectors)"
    return shown, 0.8 <= ratio <= 1.25


CLAIMS = (
    statement(
        needs=TABLE.needs,
        place="§5.4",
        says="At inference HRR takes the same time as the fully connected output",
        published="the same",
        rule="From 512 units to the five best labels, with stored vectors, on two cores, the times "
        "differ by at most a quarter",
        judge=TABLE.each(_same_time),
    ),
)
