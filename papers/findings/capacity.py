"""How much the projection adds to what a vector holds, by two readings of the paper."""

from functools import partial

from matplotlib.figure import Figure

from hrrxml.experiments.capacity.lines import EXACT, PROJECTED, PSEUDO
from hrrxml.report.drawing import SERIES
from papers.claim import IN_PART
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, require
from papers.hrr import capacity

PUBLISHED = 100  # times, at least
Ratios = dict[str, dict[int, float]]  # naive variant → d → projected over naive


def find(evidence: Evidence) -> Finding | None:
    if evidence.retrieval.empty:
        return None
    ratios = _ratios(evidence)
    exact, pseudo = (between(ratios[naive].values()) for naive in (EXACT, PSEUDO))
    title = f"“Over {PUBLISHED} times the capacity” is {exact} times by retrieval errors"
    claim = judged(capacity.CLAIMS, "The projection improves", evidence)
    # Of both readings and both inverses, only the spread over the exact inverse is a hundredfold.
    spread = {naive: capacity.same_spread(evidence, naive) for naive in (EXACT, PSEUDO)}
    hundredfold = [check["where"] for check in claim["ours"] if check["passed"]]
    require(claim["verdict"] == IN_PART and hundredfold == [f"spread, over {EXACT}"], title)
    return Finding(
        title=title,
        words="That is over the exact inverse. By the spread of single responses it is "
        f"{between(spread[EXACT], 0)} times. Over Plate's pseudo-inverse, which only reorders the "
        f"entries, it is {pseudo} times by errors, and {between(spread[PSEUDO], 0)} by spread.",
        more=f"Capacity is the number of pairs that a vector holds before {evidence.threshold:.0%} "
        f"of retrievals fail, at d from {min(ratios[EXACT])} to {max(ratios[EXACT]):,} "
        "(appendix D.1). The spread is that of absent pairs' responses to "
        f"{capacity.BOUND:,} projected pairs at d = 256, which naive vectors reach with fewer "
        "(§3.1, Figure 1).",
        evidence="HRR Figure 5",
        claims=(
            claim["claim"],
            judged(capacity.CLAIMS, "Naive HRR's capacity does not keep up", evidence)["claim"],
        ),
        figure="finding-capacity",
        alt="Pairs held with the projection over pairs held without it, against d, for both "
        "inverses: a line far below 100 and a line at about 1",
        draw=partial(draw, ratios),
    )


def _ratios(evidence: Evidence) -> Ratios:
    held = {name: evidence.capacity[name].capacity for name in (EXACT, PSEUDO, PROJECTED)}
    return {
        naive: {d: pairs / held[naive][d] for d, pairs in held[PROJECTED].items()}
        for naive in (EXACT, PSEUDO)
    }


def draw(ratios: Ratios) -> Figure:
    figure = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = figure.subplots()
    for (naive, by_dim), style in zip(ratios.items(), SERIES, strict=False):
        label = f"over the {naive.split(', ')[1]}"
        axis.plot(list(by_dim), list(by_dim.values()), label=label, **style)
    axis.axhline(PUBLISHED, color="black", linestyle="--", label=f"published: over {PUBLISHED}")
    axis.set(xscale="log", yscale="log", xlabel="d", ylabel="pairs held, projected over naive")
    axis.set_yticks([1, 10, 100], ["1", "10", "100"])
    axis.legend(loc="center left", bbox_to_anchor=(0.02, 0.76))
    return figure
