"""Exact search among all labels without stored label vectors."""

from papers.claim import HOLDS
from papers.evidence import Evidence
from papers.finding import Finding, judged, require
from papers.hrr.speed import growth, search

TITLE = "Exact search among all labels needs no stored label vectors"
CLAIMS = (
    "Exact search among 670,091 labels is 50 times",
    "Circulant vectors of 670,091 labels",
    "Exact search among 10 million labels",
)


def find(evidence: Evidence) -> Finding | None:
    if not {"search", "growth"} <= set(evidence.benchmarks):
        return None
    measured = evidence.benchmarks["search"]
    row = max(measured["grid"], key=lambda row: row["labels"])
    entries = [judged(search.CLAIMS, begins, evidence) for begins in CLAIMS]
    require(all(entry["verdict"] == HOLDS for entry in entries), TITLE)
    alone, slopes = measured["alone"], evidence.benchmarks["growth"]["exponents_by_labels"]
    return Finding(
        title=TITLE,
        words=f"The exact best 5 of {row['labels']:,} labels come {row['matmul_over_ours']:.0f} "
        f"times as fast as by a matrix product, from {row['ours_bytes'] / 1e6:.1f} MB instead of "
        f"{row['matmul_bytes'] / 1e9:.1f} GB.",
        more=f"Label vectors are rolls of a few bases (a *circulant* codebook). Time grows "
        f"as the power {slopes['search_ms']:.2f} of the labels; {alone['labels']:,} labels take "
        f"{alone['ours_ms']:.0f} ms for {alone['queries']} queries and "
        f"{alone['peak_bytes'] / 1e6:.0f} MB at the peak.",
        evidence="Benchmark search",
        claims=tuple(entry["claim"] for entry in entries),
        figure="time_by_labels",
        alt=growth.ALTS["time_by_labels"],
    )
