"""§3.1 and appendix D: what binding and unbinding cost in HRR, VTB and MAP-C."""

from collections.abc import Iterator

from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import statement
from papers.hrr.speed.benchmark import Row, Rows, Table
from papers.section import Section


def _by_dim(measured: Row) -> Rows:
    return {f"{row['dim']:,}": row for row in measured.get("grid", [])}


TABLE = Table(
    benchmark="algebra",
    paper="HRR",
    place="appendix D",
    title="what binding costs",
    covers=("D.1", "§3.1"),
    remark="A round binds pairs, unbinds them and back-propagates. VTB is timed as one product of "
    "two small matrices, as here, and as a block-diagonal matrix, as in its papers. x* is Plate's "
    "inverse, x† the exact one.",
    first="d",
    columns="pairs: pairs | HRR round, ms: hrr_round_ms | with x†, ms: exact_round_ms | "
    "VTB, ms: vtb_round_ms | VTB, block-diagonal, ms: blocks_round_ms | MAP-C, ms: mapc_round_ms | "
    "x*, ms: pseudo_inverse_ms | x†, ms: exact_inverse_ms | HRR bind, ms: hrr_bind_ms | "
    "VTB bind, ms: vtb_bind_ms | MAP-C bind, ms: mapc_bind_ms",
    arrange=_by_dim,
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)


def _faster_than_vtb(evidence: Evidence) -> Iterator[Check]:
    for d, row in TABLE.rows(evidence).items():
        for vtb, name in (("blocks", "block-diagonal matrix"), ("vtb", "one product of matrices")):
            ratio = row[f"{vtb}_round_over_hrr"]
            yield Check(f"{name}, d = {d}", f"VTB takes {ratio:,.2f}× HRR's time", ratio > 1)


def _cheaper_inverse(_: str, row: Row) -> tuple[str, bool]:
    inverse, unbinding = row["exact_over_pseudo"], row["exact_over_pseudo_unbind"]
    shown = f"x† takes {inverse:.2f}× the time of x* ({unbinding:.2f}× with the unbinding)"
    return shown, inverse > 1


CLAIMS = (
    statement(
        needs=TABLE.needs,
        place="D.1",
        says="HRR is slightly faster than VTB",
        published="slightly faster",
        rule="A binding and an unbinding with their gradients take less time than with VTB: as a "
        "block-diagonal matrix, which the paper describes, and as one product of two small "
        "matrices, which is the same",
        judge=_faster_than_vtb,
        remark="How VTB is written decides: the paper used functions that PyTorch has, and expects "
        "more of a custom implementation",
    ),
    statement(
        needs=TABLE.needs,
        place="§3.1",
        says="The pseudo-inverse x* is faster to calculate than the exact inverse x†",
        published="O(d) against O(d log d)",
        rule="x* takes less time than x† at each d",
        judge=TABLE.each(_cheaper_inverse),
    ),
)
