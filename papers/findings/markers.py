"""Figure 8: whether p and m should be learned, and what made it seem so."""

from functools import partial

from papers.alike import difference, dim_of
from papers.evidence import Evidence
from papers.finding import Finding, judged, require
from papers.hrr import markers
from papers.rules import is_same

TITLE = "Whether p and m are learned hardly matters, once eq. 7 has its bars"


def find(evidence: Evidence) -> Finding | None:
    pairs, signed = markers.studied(evidence), markers.studied(evidence, loss="signed")
    if not pairs or not signed:
        return None
    gaps = [difference(learned, fixed, "P@1").among(len(pairs)) for fixed, learned in pairs]
    without = [difference(learned, fixed, "P@1").gap for fixed, learned in signed]
    shown = [gap for gap in gaps if gap.shows]
    same = [gap for gap in gaps if is_same(gap)]
    require(max(without) > 2 * max(abs(gap.gap) for gap in gaps) and not shown, TITLE)
    largest = signed[without.index(max(without))][0]
    small = judged(markers.CLAIMS, "p and m are better fixed", evidence)
    large = judged(markers.CLAIMS, "Learning p and m has no impact", evidence)
    return Finding(
        title=TITLE,
        words=f"With |eq. 7|, no test shows a difference in P@1 in any of {len(pairs)} settings, "
        f"and in {len(same)} one shows that both are the same. With eq. 7 as printed, learned ones "
        f"seem better by up to {max(without):.1f} points ({largest.dataset}, d' = "
        f"{dim_of(largest)}): they solve it by m = −p.",
        more="An earlier version of this study had eq. 7 as printed, and reported that p and m are "
        "better learned, by up to 11 points. That was wrong.",
        evidence="HRR Figure 8",
        claims=(small["claim"], large["claim"]),
        figure="finding-markers",
        alt="P@5 with fixed p and m less that with learned ones, against d', by dataset",
        draw=partial(markers.draw, pairs, ["P@5"], width=5.4),
    )
