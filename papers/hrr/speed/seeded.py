"""Appendix H: label vectors that are drawn again from a seed instead of being stored."""

from papers.evidence import Evidence
from papers.hrr import statement
from papers.hrr.speed.benchmark import Row, Table, by_labels, show
from papers.section import Section

TABLE = Table(
    benchmark="seeded",
    paper="HRR",
    place="appendix H (seed)",
    title="label vectors from a seed",
    remark="The best 5 labels of a batch of queries by brute force, with stored label vectors and "
    "with vectors that each search draws anew, a block of labels at a time.",
    first="labels",
    columns="d': dim | queries: queries | stored, ms: stored_ms | drawn anew, ms: seeded_ms | "
    "stored memory: stored_bytes | memory of a block: seeded_bytes",
    arrange=by_labels,
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)


def _comes_back(_: str, row: Row) -> tuple[str, bool]:
    stored, block = (show("_bytes", row[f"{name}_bytes"]) for name in ("stored", "seeded"))
    return f"{block} at a time instead of {stored}", row["same_vectors"] and row["same_labels"]


def _faster(_: str, row: Row) -> tuple[str, bool]:
    ratio = row["seeded_over_stored"]
    return f"{ratio:.1f}× the time of stored vectors, d' = {row['dim']}", ratio < 1


CLAIMS = (
    statement(
        needs=TABLE.needs,
        place="appendix H (seed)",
        says="The label vectors c need not be stored: a seed gives them again",
        published="not in memory",
        rule="Vectors that are drawn again equal the stored ones bit for bit, and rank the same "
        "five labels first",
        judge=TABLE.each(_comes_back),
    ),
    statement(
        needs=TABLE.needs,
        place="appendix H (seed)",
        says="Brute force is faster if the label vectors c are drawn from a seed, not read from "
        "memory",
        published="considerably faster",
        rule="64 queries on two cores take less time than with stored vectors",
        judge=TABLE.each(_faster),
        remark="Normal numbers and their projection take longer than reading the result. Rolls of "
        "a few stored vectors (our circulant codebook) save the memory and the time",
    ),
)
