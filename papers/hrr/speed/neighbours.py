"""§4 of GLaS: one query at a time among stored label vectors. GLaS's own module judges it."""

from papers.evidence import Evidence
from papers.hrr.speed.benchmark import Row, Rows, Table, by_labels
from papers.section import Section


def _with_promise(measured: Row) -> Rows:
    """GLaS promises less than 1 ms up to 100,000 labels, and less than 10 ms above."""
    return {
        name: {**row, "promised": "< 1" if row["labels"] <= 100_000 else "< 10"}
        for name, row in by_labels(measured).items()
    }


TABLE = Table(
    benchmark="neighbours",
    paper="GLaS",
    place="§4",
    title="one query among stored label vectors",
    remark="The best 5 labels for one query at a time, among synthetic unit vectors. All but "
    "IVF, which searches a few cells, are exact. IVF's recall is given for vectors around "
    "centres and for vectors without clusters (spread). Circulant vectors are rolls of a few "
    "bases.",
    first="labels",
    columns="d: dim | matmul in blocks, ms: ours_ms | faiss, flat, ms: faiss_flat_ms | "
    "circulant, ms: circulant_ms | faiss, IVF, ms: faiss_ivf_ms | "
    "IVF recall: faiss_ivf_recall | spread recall: faiss_ivf_spread_recall | "
    "IVF built in, s: faiss_ivf_build_seconds | GLaS promises, ms: promised",
    arrange=_with_promise,
)


def sections(evidence: Evidence) -> list[Section]:
    return TABLE.section(evidence)
