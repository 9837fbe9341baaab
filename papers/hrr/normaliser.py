"""Appendix F: what eq. 15 divides PSnDCG by, and what the usual tools divide it by."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_matrix

from hrrxml.evaluation import metrics
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import arithmetic, section
from papers.section import Section

K = 5
# One point with so many labels, of this inverse propensity: all are ranked first.
PERFECT = ((5, 1.0), (2, 1.0), (5, 10.0), (2, 10.0))
REMARK = (
    "PSnDCG@5 of a perfect ranking, on points with few or many labels, common or rare (1/p is a "
    "label's inverse propensity). The usual tools, and we, divide by the best possible value."
)


def sections(evidence: Evidence) -> list[Section]:
    rows = [["labels of the point", "1/p", "eq. 15", "as usual"]]
    for labels, weight in PERFECT:
        printed, usual = of_perfect(labels, weight)
        rows.append([f"{labels}", f"{weight:g}", f"{printed:.2f}", f"{usual:.2f}"])
    return section("appendix F", "what PSnDCG is divided by", REMARK, rows)


def of_perfect(labels: int, weight: float) -> tuple[float, float]:
    """PSnDCG@K of one point whose labels are ranked first: by eq. 15, and by our metric."""
    truth = csr_matrix(np.arange(2 * K) < labels, dtype=float)  # (1, 2K)
    ranking = np.arange(K)[None]
    usual = metrics.psndcg_at_k(truth, ranking, np.full(2 * K, weight), K)[-1]
    return eq15(np.arange(K) < labels, weight), float(usual)


def eq15(hits: np.ndarray, weight: float) -> float:
    """Σ y_l / (p_l log(l + 1)) over Σ 1 / log(l + 1), both over all K ranks l."""
    discounts = 1 / np.log(np.arange(len(hits)) + 2)
    return float(weight * (hits * discounts).sum() / discounts.sum())


def _is_normalised(_: Evidence) -> Iterator[Check]:
    for labels, weight in PERFECT:
        printed, usual = of_perfect(labels, weight)
        shown = f"{printed:.2f} (as usual {usual:.2f})"
        yield Check(f"{labels} labels, 1/p = {weight:g}", shown, bool(np.isclose(printed, 1)))


CLAIMS = (
    arithmetic(
        place="appendix F, eq. 15",
        says="PSnDCG@k as eq. 15 prints it is normalised",
        published="normalised",
        rule=f"A perfect ranking has 1 at k = {K}, whatever its labels' number and propensity",
        judge=_is_normalised,
        remark="Eq. 14 sums over min(k, |y|) ranks, eq. 15 over k. Its figures in print are "
        "normalised by the usual tools, as ours are",
    ),
)
