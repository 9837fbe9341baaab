"""Figure 8: whether p and m should be learned, and what made it seem so."""

from functools import partial

from papers.alike import difference
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, require
from papers.hrr import markers
from papers.rules import is_same

TITLE = "Whether p and m are learned hardly matters, once eq. 7 has its bars"


def find(evidence: Evidence) -> Finding | None:
    pairs, signed = markers.studied(evidence), markers.studied(evidence, loss="signed")
    if not pairs or not signed:
        return None
    gaps = [-difference(*pair, "P@1").gap for pair in pairs]
    without = [-difference(*pair, "P@1").gap for pair in signed]
    require(max(without) > 2 * max(map(abs, gaps)), TITLE)
    same = [pair for pair in pairs if is_same(difference(*pair, "P@1"))]
    small = judged(markers.CLAIMS, "p and m are better fixed", evidence)
    large = judged(markers.CLAIMS, "Learning p and m has no impact", evidence)
    return Finding(
        title=TITLE,
        words=f"With |eq. 7|, learning them changes P@1 by {min(gaps):+.1f} to {max(gaps):+.1f} "
        f"points; in {len(same)} of {len(pairs)} settings a test shows that both are the same. "
        f"With eq. 7 as printed, learned ones seem better, by {between(without)} points: they "
        "solve it by m = −p.",
        more="An earlier version of this study had eq. 7 as printed, and reported that p and m are "
        "better learned, by up to 11 points. That was wrong.",
        evidence="HRR Figure 8",
        claims=(small["claim"], large["claim"]),
        figure="finding-markers",
        alt="P@5 with fixed p and m less that with learned ones, against d', by dataset",
        draw=partial(markers.draw, pairs, ["P@5"], width=5.4),
    )
