"""Controls: each part of the method left out or replaced by itself (§2, §4, §5.5, appendix C)."""

from collections.abc import Iterator
from dataclasses import dataclass

from hrrxml.report.results import Cell, measured
from hrrxml.report.significance import paired, unpaired
from papers.alike import Rule, compare, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.rules import is_same, is_worse
from papers.section import Section

METRICS = ("P@1", "P@5", "PSP@1")
GUESSING = 1.1  # times the P@1 of naming the commonest label: no more than guessing
REMARK = (
    "HRR-FC with stored random vectors and tuned settings, mean ± standard deviation (seeds). "
    "Below it, one part at a time is left out or replaced. Differences are paired by seed; a star "
    "marks one that a test shows. *Guessing* always names the commonest label of the training "
    "points."
)


@dataclass(frozen=True)
class Control:
    title: str
    changed: dict[str, tuple[object, object]]  # keys of the section `hrr`: usual value, and here


GAUSSIAN: dict[str, tuple[object, object]] = {"projection": (True, False)}
CONTROLS = {
    "unbound": Control("no binding: p is the identity", {"binding": (True, False)}),
    "unprojected": Control("no projection: Gaussian vectors, p*", GAUSSIAN),
    "unprojected-exact": Control(
        "no projection: Gaussian vectors, p† of eq. 2", GAUSSIAN | {"inverse": ("pseudo", "exact")}
    ),
    "positive": Control("J_p (eq. 6) alone", {"loss": ("paper", "positive")}),
    "absolute": Control("|cos|, as in the published code", {"loss": ("paper", "reference")}),
    "mse": Control("squared error to eq. 5", {"loss": ("paper", "mse")}),
    "projected-m": Control("m projected after orthogonalising", {"m": ("orthogonal", "projected")}),
}


def studied(evidence: Evidence, name: str, *, codebook: str = "random") -> list[tuple[Cell, Cell]]:
    """The usual cell and the control, for every dataset that has both."""
    cells = evidence.all_cells
    alike = [cell for cell in cells if cell.settings.get("hrr", {}).get("codebook") == codebook]
    return pairs(alike, "hrr", **CONTROLS[name].changed)


def sections(evidence: Evidence) -> list[Section]:
    by_dataset: dict[str, list[tuple[str, Cell, Cell]]] = {}
    for name, control in CONTROLS.items():
        for usual, changed in studied(evidence, name):
            by_dataset.setdefault(usual.dataset, []).append((control.title, usual, changed))
    rows = [["dataset", "control", *METRICS, *(f"{metric}, difference" for metric in METRICS)]]
    for dataset, changes in by_dataset.items():
        rows.append([dataset, "none", *_shown(changes[0][1]), "–", "–", "–"])
        for title, usual, changed in changes:
            gaps = [paired(changed.metrics[m], usual.metrics[m]).short for m in METRICS]
            rows.append([dataset, title, *_shown(changed), *gaps])
        guess = f"{evidence.guessing(dataset):.2f}"
        rows.append([dataset, "guessing", guess, "–", "–", "–", "–", "–"])
    return section("§4 and §5.5", "what the parts are worth", REMARK, rows, text=2)


def _shown(cell: Cell) -> list[str]:
    return [measured(cell.metrics[metric]) for metric in METRICS]


def _guesses(evidence: Evidence, *names: str, codebook: str = "random") -> Iterator[Check]:
    """Whether controls do no better than naming the commonest label."""
    for name in names:
        for _, control in studied(evidence, name, codebook=codebook):
            guess = evidence.guessing(control.dataset)
            above = unpaired(control.metrics["P@1"], [GUESSING * guess]).at_least(0)
            shown = f"{control.mean('P@1'):.2f} against {guess:.2f}"
            passed = None if above is None else not above
            yield Check(f"{control.dataset}, {name}", shown, passed, (control.name,))


def _changes(evidence: Evidence, name: str, rule: Rule, *metrics: str) -> Iterator[Check]:
    """What a control changes in each metric."""
    for usual, control in studied(evidence, name):
        for metric in metrics:
            yield compare(f"{usual.dataset}, {metric}", control, usual, metric, rule)


AS_GUESSING = (
    f"P@1 is at most {GUESSING} times that of always naming the commonest label (one-sided test)"
)
CLAIMS = (
    statement(
        place="§4",
        says="Squared error to the target of eq. 5 learns nothing",
        published="random guessing",
        rule=AS_GUESSING,
        judge=lambda evidence: _guesses(evidence, "mse"),
    ),
    statement(
        place="§2, §5, §5.5",
        says="Without the projection nothing is learned",
        published="random guessing",
        rule=f"{AS_GUESSING}, with Plate's pseudo-inverse and with the exact one of eq. 2",
        judge=lambda evidence: _guesses(evidence, "unprojected", "unprojected-exact"),
    ),
    statement(
        place="appendix C",
        says="|cos| in place of the signed cosine gives the same results",
        published="the same",
        rule="P@1, P@5 and PSP@1 are the same (two one-sided tests, margin 1 point)",
        judge=lambda evidence: _changes(evidence, "absolute", is_same, *METRICS),
    ),
    statement(
        place="§4",
        says="The negative term of the loss works: J_p + J_n, simply added",
        published="works",
        rule="P@1 and P@5 are worse with J_p alone, by a paired test",
        judge=lambda evidence: _changes(evidence, "positive", is_worse, "P@1", "P@5"),
    ),
    statement(
        place="§5.5",
        says="Learned label vectors without the projection end in random guessing",
        published="random guessing",
        rule=AS_GUESSING,
        judge=lambda evidence: _guesses(evidence, "unprojected", codebook="learned"),
    ),
)
