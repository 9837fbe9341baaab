"""What the HRR paper says of binding itself: §3.1 and appendix D."""

from collections.abc import Iterator

from hrrxml.capacity.findings import EXACT, PROJECTED, PSEUDO
from hrrxml.claims import Check, Claim
from hrrxml.evidence import Evidence

VTB = "vtb, gaussian"
LINEAR = 0.9  # least exponent that passes for linear growth
FAITHFUL = 0.1  # how far a mean response may be from 1 or 0


def _hundredfold(evidence: Evidence) -> Iterator[Check]:
    for naive in (EXACT, PSEUDO):
        before, after = (evidence.capacity[name].capacity for name in (naive, PROJECTED))
        ratios = {d: after[d] / before[d] for d in after}
        best = max(ratios.values())
        yield Check(f"over {naive}", f"{min(ratios.values()):.1f} to {best:.1f}×", best > 100)


def _ten_bindings(evidence: Evidence) -> Iterator[Check]:
    for naive in (EXACT, PSEUDO):
        held = evidence.capacity[naive].capacity[256]
        yield Check(f"{naive}, d = 256", f"{held:.1f} pairs", held <= 10)


def _linear(evidence: Evidence) -> Iterator[Check]:
    slope = evidence.capacity[PROJECTED].exponent
    yield Check("projected", f"d^{slope:.2f}", slope >= LINEAR)


def _not_linear(evidence: Evidence) -> Iterator[Check]:
    for naive in (EXACT, PSEUDO):
        slope = evidence.capacity[naive].exponent
        yield Check(naive, f"d^{slope:.2f}", slope < LINEAR)


def _worst(evidence: Evidence) -> Iterator[Check]:
    others = [line for name, line in evidence.capacity.items() if name not in (EXACT, PSEUDO)]
    for naive in (EXACT, PSEUDO):
        mine = evidence.capacity[naive].capacity
        lowest = sum(all(mine[d] < other.capacity[d] for other in others) for d in mine)
        yield Check(naive, f"least at {lowest} of {len(mine)} d", lowest == len(mine))


def _parity(evidence: Evidence) -> Iterator[Check]:
    ours, theirs = (evidence.capacity[name].capacity for name in (PROJECTED, VTB))
    for d in ours:
        ratio = ours[d] / theirs[d]
        yield Check(f"d = {d}", f"{ratio:.2f}×", abs(ratio - 1) <= 0.1)


def _responses(evidence: Evidence, n: int) -> Iterator[Check]:
    found = evidence.responses
    mine = found[(found["algebra"] == "hrr") & (found["variant"] == "projected")]
    nearest = mine.iloc[(mine["n"] - n).abs().argsort()].iloc[0]
    for kind, wanted in (("present", 1.0), ("absent", 0.0)):
        mean, spread = nearest[f"{kind}_mean"], nearest[f"{kind}_std"]
        near = abs(mean - wanted) <= FAITHFUL
        yield Check(f"{kind}, n = {nearest['n']}", f"{mean:.2f} ± {spread:.2f}", bool(near))


def _overlap(evidence: Evidence) -> Iterator[Check]:
    """From where on the deviations of present and absent responses meet."""
    found = evidence.responses
    mine = found[(found["algebra"] == "hrr") & (found["variant"] == "projected")].sort_values("n")
    for published, reach in ((512, 1.0), (1536, 2.0)):
        both = mine["present_std"] + mine["absent_std"]
        first = int(mine.loc[both >= reach, "n"].iloc[0])
        what = f"deviations add up to {reach:.0f}"
        near = published / 2 <= first <= 2 * published
        yield Check(what, f"n = {first} (paper {published})", near)


CLAIMS = (
    Claim(
        "HRR",
        "abstract, §3.1",
        "The projection improves concept retrieval by over 100×",
        "> 100×",
        "The pairs held at 3% error, projected over naive, exceed 100×",
        _hundredfold,
    ),
    Claim(
        "HRR",
        "§3.1",
        "It is difficult to use more than 10 bindings without the projection",
        "≤ 10",
        "Naive HRR holds at most 10 pairs at d = 256",
        _ten_bindings,
    ),
    Claim(
        "HRR",
        "§3.1, Figure 1",
        "Responses stay near 1 and 0 with 1,024 vectors bound in 256 dimensions",
        "≈ 1 and ≈ 0",
        f"The mean is within {FAITHFUL} of it (single responses are another matter: ± is theirs)",
        lambda evidence: _responses(evidence, 1024),
    ),
    Claim(
        "HRR",
        "§3.1, D.1, Figure 5",
        "Capacity grows linearly with d for projected HRR",
        "linear",
        f"The exponent of d is at least {LINEAR}",
        _linear,
    ),
    Claim(
        "HRR",
        "§3.1, D.1, Figure 5",
        "It does not for naive HRR",
        "not linear",
        f"The exponent of d is below {LINEAR}",
        _not_linear,
    ),
    Claim(
        "HRR",
        "D.1, Figure 5",
        "Naive HRR has the least capacity of all algebras",
        "worst",
        "It holds fewer pairs than VTB, MAP-C and projected HRR at every d",
        _worst,
    ),
    Claim(
        "HRR",
        "D.1, Figure 6",
        "Projected HRR and VTB are indistinguishable",
        "parity",
        "Their capacities are within 10% of one another",
        _parity,
    ),
    Claim(
        "HRR",
        "D.2, Figure 7",
        "The mean response holds until n = 65,536",
        "≈ 1 and ≈ 0",
        f"The mean is within {FAITHFUL} of it",
        lambda evidence: _responses(evidence, 65536),
    ),
    Claim(
        "HRR",
        "D.2, Figure 7",
        "Deviations overlap from n ≈ 512, and reach the other's mean at n ≈ 1,536",
        "512 and 1,536",
        "Within a factor of 2 of it, at d = 256",
        _overlap,
    ),
)
