"""Appendix H and our own targets: how long the search among all labels takes."""

from collections.abc import Callable

from papers.evidence import Evidence
from papers.hrr import statement
from papers.hrr.speed.benchmark import Row, Table, by_labels, show
from papers.hrr.speed.target import Select, target
from papers.section import Section

LARGEST = 670_091  # labels of Amazon-670K

TABLE = Table(
    benchmark="search",
    paper="ours",
    place="benchmark search",
    title="the best 5 of all labels",
    covers=("appendix H",),
    remark="Milliseconds per batch of queries. All but HNSW are exact. `topk` only ranks given "
    "scores. HNSW is left out where building it takes minutes.",
    first="labels",
    columns="d': dim | ours, ms: ours_ms | topk, ms: topk_ms | matmul, ms: matmul_ms | "
    "faiss, ms: faiss_ms | HNSW, ms: hnsw_ms | HNSW recall: hnsw_recall | "
    "our label memory: ours_bytes | stored vectors: matmul_bytes",
    arrange=by_labels,
)


def sections(evidence: Evidence) -> list[Section]:
    alone = TABLE.measured(evidence).get("alone")
    return TABLE.section(evidence, *([_in_its_own_process(alone)] if alone else []))


def _in_its_own_process(alone: Row) -> str:
    return (
        f"{alone['labels']:,} labels at d' = {alone['dim']}, ours in a process of its own: "
        f"{show('ms', alone['ours_ms'])} ms for {alone['queries']} queries, "
        f"{show('_bytes', alone['peak_bytes'])} at the peak."
    )


def _faster_than_faiss(_: str, row: Row) -> tuple[str, bool]:
    brute, faiss = row["matmul_ms"], row["faiss_ms"]
    return f"{brute:.1f} ms, FAISS {faiss:.1f} ms, d' = {row['dim']}", brute < faiss


def _among_largest(ratio: Callable[[Row], float]) -> Select:
    return lambda search: {
        f"{LARGEST:,} labels, d' = {row['dim']}": ratio(row)
        for row in search["grid"]
        if row["labels"] == LARGEST
    }


CLAIMS = (
    statement(
        needs=TABLE.needs,
        place="appendix H",
        says="Searching by brute force is faster than by FAISS",
        published="faster",
        rule="A product with every label vector, and the best 5 of it, takes less time than "
        "FAISS's exact (flat) index: 64 queries on two cores, not on the paper's GPU",
        judge=TABLE.each(_faster_than_faiss),
        remark="Our circulant search is another method, which the paper does not have",
    ),
    target(
        TABLE,
        "Exact search among rolls of a few vectors is faster than FAISS's flat index",
        lambda search: {
            f"{row['labels']:,} labels": row["faiss_over_ours"]
            for row in search["grid"]
            if "faiss_over_ours" in row
        },
        least=1,
    ),
    target(
        TABLE,
        "Exact search among 670,091 labels is 50 times as fast as a matrix product",
        _among_largest(lambda row: row["matmul_over_ours"]),
        least=50,
    ),
    target(
        TABLE,
        "Exact search among 670,091 labels takes at most twice the time of ranking given scores",
        _among_largest(lambda row: row["ours_ms"] / row["topk_ms"]),
        most=2,
    ),
    target(
        TABLE,
        "Circulant vectors of 670,091 labels take a thousandth of the memory of stored ones",
        _among_largest(lambda row: row["bytes_over_ours"]),
        least=1000,
    ),
    target(
        TABLE,
        "Exact search among 10 million labels needs at most 2 GB of memory",
        lambda search: {f"{search['alone']['labels']:,}": search["alone"]["peak_bytes"] / 1e9},
        most=2,
        unit=" GB",
    ),
)
