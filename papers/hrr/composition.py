"""Appendix B: noise in what is unbound, and what a composed vector answers."""

from collections.abc import Iterator, Mapping
from functools import partial

from hrrxml.experiments.capacity.composition import TRIALS, YES
from hrrxml.experiments.capacity.expectation import DRAWS
from hrrxml.report.markdown import markdown_table
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.section import Section

NEAR = 0.1  # how far a variance may lie from the published one, as a share
RIGHT = 0.95  # the least share of right answers
QUESTIONS = ("legs by l", "eyes by h and e", "wings by l", "eyes by e")
NOISE = (
    "Variances over {trials:,} draws, as a multiple of the published ones: of ξ and η in what "
    "c* unbinds, (1 + ξ) x + η (eq. 11), and of the product of two entries."
)
# What settles on x, by the way to unbind.
SETTLING = {"exact inverse": "median", "pseudo-inverse": "mean", "projected": "mean"}
EXPECTATION = (
    "c† ⊗ (c ⊗ x + a ⊗ b) − x for d = 2 (eq. 12): how far the mean and the median of some draws "
    "scatter, as the interquartile range over repetitions."
)
DOGS = (
    "The share of {trials:,} dogs (Figure 4) that answer yes to a question: a response above {yes}."
)


def sections(evidence: Evidence) -> list[Section]:
    if not evidence.composition:
        return []
    trials = evidence.composition["trials"]
    noise = [["d", "ξ, of 2/d", "η, of (d − 1)/d²", "product, of 1/d⁴"]]
    for d, (xi, eta, product) in _ratios(evidence).items():
        noise.append([str(d), f"{xi:.2f}×", f"{eta:.2f}×", f"{product:,.0f}×"])
    dogs = [["vectors", "d", *QUESTIONS]]
    for variant, dim, shares in _dogs(evidence):
        dogs.append([variant, dim, *(f"{shares[question]:.1%}" for question in QUESTIONS)])
    more = [DOGS.format(trials=trials, yes=YES), markdown_table(dogs, text=2), *_scatter(evidence)]
    title = "what a composed vector answers (Figures 3 and 4)"
    return section("appendix B", title, NOISE.format(trials=trials), noise, *more)


def _ratios(evidence: Evidence) -> dict[int, tuple[float, float, float]]:
    """Variances of ξ, η and a product, over the published ones. For even d, η's is 1/d exactly."""
    ratios = {}
    for key, variances in evidence.composition["noise"].items():
        d = int(key)
        published = {"xi": 2 / d, "eta": (d - 1) / d**2, "product": 1 / d**4}
        xi, eta, product = (variances[name] / value for name, value in published.items())
        ratios[d] = (xi, eta, product)
    return ratios


def _dogs(evidence: Evidence) -> Iterator[tuple[str, str, dict[str, float]]]:
    """Every variant and d, with the share of yes to each question."""
    for variant, by_dim in evidence.composition["dogs"].items():
        for d, shares in by_dim.items():
            yield variant, d, shares


def _scatter(evidence: Evidence) -> list[str]:
    """A table of how means and medians scatter, if that was recorded."""
    rows = [["unbound with", "draws", "mean", "median"]]
    for way, by_draws in evidence.composition.get("expectation", {}).items():
        for draws, scatter in by_draws.items():
            rows.append(
                [way, f"{int(draws):,}", f"{scatter['mean']:.3f}", f"{scatter['median']:.3f}"]
            )
    return [EXPECTATION, markdown_table(rows)] if len(rows) > 1 else []


def _settles(evidence: Evidence, statistics: Mapping[str, str]) -> Iterator[Check]:
    """Whether a statistic of many draws scatters less than that of few, for each way to unbind."""
    for way, by_draws in evidence.composition.get("expectation", {}).items():
        if statistic := statistics.get(way):
            draws = sorted(by_draws, key=int)
            few, many = (by_draws[n][statistic] for n in (draws[0], draws[-1]))
            shown = f"{few:.3f} with {int(draws[0]):,} draws, {many:.3f} with {int(draws[-1]):,}"
            yield Check(f"{statistic}, {way}", shown, many < few / 2)


def _noise(evidence: Evidence) -> Iterator[Check]:
    for d, (xi, eta, _) in _ratios(evidence).items():
        near = all(abs(ratio - 1) <= NEAR for ratio in (xi, eta))
        yield Check(f"d = {d}", f"ξ {xi:.2f}×, η {eta:.2f}×", near)


def _product(evidence: Evidence) -> Iterator[Check]:
    for d, (_, _, product) in _ratios(evidence).items():
        yield Check(f"d = {d}", f"{product:,.0f}×", abs(product - 1) <= NEAR)


def _all_keys(evidence: Evidence) -> Iterator[Check]:
    for variant, d, yes in _dogs(evidence):
        right = (yes["legs by l"], yes["eyes by h and e"], 1 - yes["wings by l"])
        shown = ", ".join(f"{share:.1%}" for share in right)
        yield Check(f"{variant}, d = {d}", shown, min(right) >= RIGHT)


def _inner_key(evidence: Evidence) -> Iterator[Check]:
    for variant, d, yes in _dogs(evidence):
        shown = f"{yes['eyes by e']:.1%} (wings {yes['wings by l']:.1%})"
        yield Check(f"{variant}, d = {d}", shown, yes["eyes by e"] >= 0.5)


CLAIMS = (
    statement(
        place="appendix B, eq. 11",
        says="What is unbound is (1 + ξ) x + η, with variances of 2/d and (d − 1)/d²",
        published="2/d and (d − 1)/d²",
        rule=f"With Plate's inverse and {TRIALS:,} draws, both are within a tenth of those",
        judge=_noise,
    ),
    statement(
        place="appendix B",
        says="The product of two vectors' entries has a variance of 1/d⁴",
        published="1/d⁴",
        rule=f"The variance over {TRIALS:,} draws of vectors is within a tenth of 1/d⁴",
        judge=_product,
        remark="The product of two entries of N(0, 1/d) has 1/d², which also vanishes as d grows",
    ),
    statement(
        place="appendix B, eqs. 12–13",
        says="In expectation, c† ⊗ (c ⊗ x + a ⊗ b) is x with the exact inverse",
        published="x",
        rule=f"Means of {DRAWS[-1]:,} draws scatter less than half as widely as means of "
        f"{DRAWS[0]}, as they must if there is an expectation (law of large numbers)",
        judge=partial(_settles, statistics={"exact inverse": "mean"}),
        needs="the experiment `capacity`",
        remark="1/(c0² − c1²) has no mean, so E[XY] = E[X]·E[Y] does not apply to it",
    ),
    statement(
        place="appendix B, eqs. 12–13",
        says="What is unbound from c ⊗ x + a ⊗ b scatters around x: its median with the exact "
        "inverse, and its mean with Plate's, or with projected vectors",
        published="x",
        rule=f"The statistic of {DRAWS[-1]:,} draws scatters less than half as widely as that of "
        f"{DRAWS[0]}; the noise is symmetric, so both can only settle on x",
        judge=partial(_settles, statistics=SETTLING),
        needs="the experiment `capacity`",
    ),
    statement(
        place="appendix B, Figure 4",
        says="A dog composed of bound parts tells its parts, and a part of a part by both keys",
        published="yes or no",
        rule=f"At least {RIGHT:.0%} of {TRIALS:,} dogs respond above {YES} to legs and to eyes, "
        "and as many do not to wings",
        judge=_all_keys,
    ),
    statement(
        place="appendix B",
        says="A dog composed of bound parts tells its eyes by their own key e alone, if weakly",
        published="a weaker response",
        rule=f"At least half of {TRIALS:,} dogs respond above {YES}",
        judge=_inner_key,
        remark="e* ⊗ h ⊗ e ⊗ eyes = h ⊗ eyes, which is as far from eyes as any other vector",
    ),
)
