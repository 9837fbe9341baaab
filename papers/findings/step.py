"""How long a training step takes with HRR and with an ordinary output layer."""

from papers.evidence import Evidence
from papers.finding import Finding, between, judged, require
from papers.hrr.speed import step
from papers.hrr.speed.step import TABLE3
from papers.published import PUBLISHED

TITLE = "HRR trains faster with many labels, and slower with few"
CLAIMS = ("HRR-FC trains faster on the four large", "HRR-FC optimises up to")


def find(evidence: Evidence) -> Finding | None:
    rows = step.TABLE.rows(evidence)
    if not rows:
        return None
    by_labels = sorted(rows, key=lambda name: int(PUBLISHED["table6"][name]["labels"]))
    ratios = {name: float(rows[name]["hrr_speed_up"]) for name in by_labels}
    fewest, most = by_labels[0], by_labels[-1]
    require(ratios[fewest] < 1 < ratios[most], TITLE)
    threads = next(iter(rows.values())).get("threads") or evidence.benchmarks["step"]["threads"]
    return Finding(
        title=TITLE,
        words=f"On {threads} CPU threads, a training step of HRR-FC is {ratios[fewest]:.2f} times "
        f"as fast as FC's on {fewest}'s shape and {ratios[most]:.0f} times on {most}'s (published, "
        f"by epoch and on a GPU: {between(TABLE3.values(), 2)}).",
        more="Ours has a closed form of the loss and circulant label vectors, on synthetic data of "
        f"each shape. It is faster on {sum(ratio > 1 for ratio in ratios.values())} of "
        f"{len(ratios)} shapes, the published one on {sum(r > 1 for r in TABLE3.values())}.",
        evidence="HRR Table 3",
        claims=tuple(judged(step.CLAIMS, begins, evidence)["claim"] for begins in CLAIMS),
        figure=step.FIGURE,
        alt=step.ALT,
    )
