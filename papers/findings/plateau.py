"""Whether a d' of a tenth of the labels is enough."""

from collections.abc import Callable, Iterator
from functools import partial

from matplotlib.figure import Figure

from hrrxml.report.drawing import SERIES
from papers.alike import difference
from papers.claim import ELSEWHERE, FAILS, IN_PART, SEEN_IN_PART
from papers.evidence import Evidence
from papers.finding import Finding, between, judged, listed, require
from papers.hrr import dims
from papers.hrr.dims import Line
from papers.published import PUBLISHED
from papers.rules import is_not_below
from papers.significance import Difference

DATASETS = ("wiki10-31k", "amazoncat-13k", "delicious-200k")  # of the paper's figure
TITLE = "A d' of a tenth of the labels is not a plateau of P@5 here"


def find(evidence: Evidence) -> Finding | None:
    lines = [line for line in dims.lines(evidence) if line.near_share()]  # beyond a tenth
    gaps = {line.n_labels: gap for line in lines if (gap := _to_largest(line, "P@5", len(lines)))}
    if not gaps:
        return None
    claim = judged(dims.CLAIMS, "P@5 has reached its plateau", evidence)
    require(claim["verdict"] in (ELSEWHERE, FAILS, IN_PART, SEEN_IN_PART), TITLE)
    share = judged(dims.CLAIMS, "The more labels there are", evidence)
    return Finding(
        title=TITLE,
        words=" ".join([_words(gaps), *_first_labels(lines)]),
        more=f"The paper's datasets have {min(map(_printed_labels, DATASETS)):,} labels and more. "
        f"The verdict on “{share['claim']}”: {share['verdict']}.",
        evidence="HRR Figure 2",
        claims=(claim["claim"], share["claim"]),
        figure="finding-plateau",
        alt="P@5 as a percentage of each dataset's best against d' as a percentage of the labels: "
        "at 10% the lines of few labels are far below their best",
        draw=partial(draw, lines),
    )


def _printed_labels(dataset: str) -> int:
    return int(PUBLISHED["table6"][dataset]["labels"])


def _to_largest(line: Line, metric: str, tests: int) -> Difference | None:
    """A metric at a tenth of the labels less that at the largest d'; None if that is the largest.

    As one of so many tests.
    """
    here = line.near_share()
    return None if here is None else difference(here, line.cells[-1], metric).among(tests)


def _first_labels(lines: list[Line]) -> Iterator[str]:
    """Where P@1 says the opposite of P@5."""
    for line in lines:
        gap = _to_largest(line, "P@1", len(lines))
        if gap and gap.better:
            yield f"P@1 is {gap.gap:.1f} points better with {line.n_labels:,}."


def _words(gaps: dict[int, Difference]) -> str:
    """The failing datasets together, then those that the seeds do not decide."""
    failing = _of(gaps, lambda gap: is_not_below(gap) is False)
    undecided = _of(gaps, lambda gap: is_not_below(gap) is None)
    words = f"P@5 is {_points(failing)} below that of the largest d' with {_labels(failing)} labels"
    if undecided:
        words += f", and {_points(undecided)} with {_labels(undecided)} (undecided)"
    return f"{words}."


def _of(gaps: dict[int, Difference], chosen: Callable[[Difference], bool]) -> dict[int, Difference]:
    return {labels: gap for labels, gap in gaps.items() if chosen(gap)}


def _points(gaps: dict[int, Difference]) -> str:
    return f"{between(-gap.gap for gap in gaps.values())} points"


def _labels(gaps: dict[int, Difference]) -> str:
    return listed([f"{labels:,}" for labels in sorted(gaps)])


def draw(lines: list[Line]) -> Figure:
    """Each dataset's share of its best P@5 against d' / L."""
    figure = Figure(figsize=(5.4, 3.2), layout="constrained")
    axis = figure.subplots()
    for line, style in zip(lines, SERIES, strict=False):
        p5 = [cell.mean("P@5") for cell in line.cells]
        shares = [100 * dim / line.n_labels for dim in line.by_dim]
        label = f"{line.name}, {line.n_labels:,} labels"
        axis.plot(shares, [100 * value / max(p5) for value in p5], label=label, **style)
    axis.axvline(100 * dims.SHARE, color="grey", linestyle=":")
    axis.set(xlabel="d', % of the labels", ylabel="P@5, % of the best", xscale="log")
    axis.set_xticks([1, 10, 100], ["1", "10", "100"])
    axis.legend(fontsize="small")
    return figure
