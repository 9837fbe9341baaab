"""Figure 8: whether p and m should be learned. In doubt as long as the loss is the signed one."""

from functools import partial

from papers.evidence import Evidence
from papers.finding import Finding, judged
from papers.hrr import markers
from papers.hrr.markers import SMALL


def find(evidence: Evidence) -> Finding | None:
    pairs = markers.studied(evidence)
    if not pairs:
        return None
    small = judged(markers.CLAIMS, "p and m are better fixed", evidence)
    large = judged(markers.CLAIMS, "Learning p and m has no impact", evidence)
    losses = {cell.settings["hrr"]["loss"] for pair in pairs for cell in pair}
    words = (
        f"By the ledger's rules, “{small['claim']}” {small['verdict']}, and “{large['claim']}” "
        f"{large['verdict']}."
    )
    title = f"“{small['claim']}”: {small['verdict']} (Figure 8)"
    if "paper" in losses:  # eq. 7 without bars
        title = f"In doubt: whether p and m are better fixed at d' ≤ {SMALL} (Figure 8)"
        words += f" **{markers.DOUBT}.** Do not repeat these verdicts."
    return Finding(
        title=title,
        words=words,
        evidence="HRR Figure 8",
        claims=(small["claim"], large["claim"]),
        figure="finding-markers",
        alt="P@5 with fixed p and m less that with learned ones, against d', by dataset",
        draw=partial(markers.draw, pairs, ["P@5"], width=5.4),
    )
