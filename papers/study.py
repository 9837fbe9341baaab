"""The study: findings, then the papers' tables and figures beside ours, then every claim."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from matplotlib.figure import Figure

from papers import (
    classifier,
    codes,
    collapse,
    crosstalk,
    findings,
    frequency,
    leaders,
    library,
    tools,
    training,
)
from papers.claim import Claim
from papers.claim import ledger as judge
from papers.evidence import Evidence
from papers.finding import Finding
from papers.glas import tables as glas_tables
from papers.glas import theorem
from papers.hrr import (
    capacity,
    composition,
    controls,
    datasets,
    dims,
    layers,
    learned,
    listing,
    markers,
    normaliser,
    speed,
    table1,
    threshold,
)
from papers.ledger import Entry
from papers.published import PUBLISHED
from papers.section import Section

PAPERS = ("HRR", "GLaS", "ours")
# Each has CLAIMS and `sections`, and `figures` if it draws.
MODULES: tuple[Any, ...] = (
    table1,
    dims,
    markers,
    layers,
    learned,
    controls,
    leaders,
    tools,
    datasets,
    capacity,
    composition,
    listing,
    normaliser,
    threshold,
    glas_tables,
    theorem,
    library,
    collapse,
    frequency,
    codes,
    classifier,
    crosstalk,
    training,
    speed,
)


@dataclass(frozen=True)
class Part:
    """A part of the contents: whose sections it has, in this order, and what it leaves out."""

    title: str
    paper: str
    places: tuple[str, ...]
    left_out: str = ""


PARTS = (
    Part(
        "HRR",
        "HRR",
        ("Figure 1", "Figure 2", *(f"Table {n}" for n in range(1, 6)), "§4 and §5.5", "§5.4"),
    ),
    Part(
        "HRR, appendix",
        "HRR",
        (
            "appendix B",
            "appendix C",
            *(f"Figure {n}" for n in range(5, 9)),
            "appendix D",
            "Table 6",
            "appendix F",
            "appendix H (seed)",
            "appendix H (threshold)",
            "Table 7",
        ),
        "Figures 3 and 4 are a drawing and its formula: appendix B has what they compose.",
    ),
    Part(
        "GLaS",
        "GLaS",
        ("Figure 1", *(f"Table {n}" for n in range(1, 5)), "Theorem 2.1", "§4"),
        "Figure 2 is a sketch of labels and items; there is nothing to measure.",
    ),
    Part(
        "Beyond the papers",
        "ours",
        (
            "other tools",
            "accuracy",
            "library",
            "collapse",
            "rare labels",
            "text encoders",
            "training",
            "co-occurrence",
            "classifier",
            "crosstalk",
            *(f"benchmark {name}" for name in ("search", "loss", "growth", "input")),
        ),
    ),
)
TITLE = "What was published, and what was measured"
SUBJECT = (
    "*Learning with Holographic Reduced Representations* (HRR) and *Breaking the Glass Ceiling for "
    "Embedding-Based Classifiers* (GLaS): what they state, and what this code measured."
)
READING = (
    "Metrics are percent of the whole test split; the epoch is chosen on the validation split. "
    "Every figure is the mean over seeds, ± their standard deviation, with the number of seeds "
    "beside it. Models differ only where a test over seeds and test points shows it (*): the error "
    "of a gap is that of a crossed random-effects model, and all tests of a table together have a "
    "level of 5%. ° marks older records, whose points were not kept: there the seeds alone count. "
    "Models are the same only where two one-sided tests put their difference within one point."
)


@dataclass(frozen=True)
class Study:
    findings: list[Finding]
    parts: dict[Part, list[Section]]
    entries: list[Entry]  # the ledger
    homes: dict[str, Section]  # what a claim says → the section it belongs to
    coverage: str  # whose datasets are here

    @property
    def sections(self) -> list[Section]:
        return list(chain.from_iterable(self.parts.values()))

    def named(self, name: str) -> Section:
        """The section of this name, such as `HRR Table 1`."""
        (section,) = [section for section in self.sections if section.name == name]
        return section

    def entry(self, claim: str) -> Entry:
        """The ledger's entry of what a claim says."""
        (entry,) = [entry for entry in self.entries if entry["claim"] == claim]
        return entry

    def entries_of(self, section: Section) -> list[Entry]:
        """The claims that belong to a section."""
        return [entry for entry in self.entries if self.homes.get(entry["claim"]) is section]


def make(evidence: Evidence) -> Study:
    by_module = {module: module.sections(evidence) for module in MODULES}
    every = list(chain.from_iterable(by_module.values()))
    return Study(
        findings=findings.find_all(evidence),
        parts={part: _in_order(part, every) for part in PARTS},
        entries=judge(claims(), evidence),
        homes=_homes(by_module),
        coverage=_coverage(evidence),
    )


def claims() -> tuple[Claim, ...]:
    """Every claim, by paper, in the order of the modules."""
    every = [claim for module in MODULES for claim in module.CLAIMS]
    return tuple(sorted(every, key=lambda claim: PAPERS.index(claim.paper)))


def figures(evidence: Evidence) -> dict[str, Callable[[], Figure]]:
    """How to draw every figure, by name."""
    drawings: dict[str, Callable[[], Figure]] = {}
    for module in MODULES:
        if hasattr(module, "figures"):
            drawings |= module.figures(evidence)
    for finding in findings.find_all(evidence):
        if finding.draw:
            drawings[finding.figure] = finding.draw
    return drawings


def _in_order(part: Part, sections: Iterable[Section]) -> list[Section]:
    mine = [s for s in sections if s.paper == part.paper and s.place in part.places]
    return sorted(mine, key=lambda section: part.places.index(section.place))


def _homes(by_module: dict[Any, list[Section]]) -> dict[str, Section]:
    """The section of each claim, by what it says."""
    every = list(chain.from_iterable(by_module.values()))
    homes = {}
    for module, own in by_module.items():
        for claim in module.CLAIMS:
            if home := _home(claim, own, every):
                homes[claim.says] = home
    return homes


def _home(claim: Claim, own: list[Section], every: list[Section]) -> Section | None:
    """By the place in the paper, else by what a section covers, else the module's first section."""
    places = set(claim.place.split(", "))
    of_paper = [section for section in every if section.paper == claim.paper]
    candidates = (
        *(section for section in [*own, *of_paper] if section.place in places),
        *(section for section in [*own, *of_paper] if places & set(section.covers)),
        *own,
    )
    return next(iter(candidates), None)


def _coverage(evidence: Evidence) -> str:
    """Which of the papers' datasets are here, and which are not."""
    glas = {*PUBLISHED["glas"]["table3"], *PUBLISHED["glas"]["table4"]}
    sentences = []
    for paper, names in (("HRR", list(PUBLISHED["table1"])), ("GLaS", sorted(glas))):
        here = [name for name in names if name in evidence.datasets]
        missing = ", ".join(name for name in names if name not in here)
        shown = f"{len(here)} are here ({', '.join(here)})" if here else "none is here"
        sentences.append(f"Of {paper}'s {len(names)} datasets {shown}; {missing} could not be had.")
    others = [name for name in evidence.datasets if name not in {*PUBLISHED["table1"], *glas}]
    return (
        f"{' '.join(sentences)} Tables show the printed figures of the missing ones, with – for "
        f"ours. {len(others)} datasets are in neither paper: {', '.join(others)}."
    )
