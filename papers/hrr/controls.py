"""Controls: each part of the method left out or replaced by itself (§2, §4, §5.5, appendix C)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from hrrxml.report.results import Cell, measured
from papers.alike import Rule, above, compare, difference, dim_of, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import ours, section, statement
from papers.rules import is_same, is_worse
from papers.section import Section
from papers.significance import SAME, Difference

METRICS = ("P@1", "P@5", "PSP@1")
DIM = 400  # d' of the table
SMALL_SHARE = 0.2  # of the labels: a small d'
GUESSING = 1.1  # times the P@1 of naming the commonest label: no more than guessing
LEARNED = 0.5  # of what the usual model gains over guessing: that counts as learning
REMARK = (
    "HRR-FC with stored random vectors and tuned settings, mean ± standard deviation (seeds). "
    "Below it, one part at a time is left out or replaced. A star marks a difference that a test "
    "over seeds and test points shows. *Guessing* always names the commonest label of the training "
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
    "positive": Control("J_p (eq. 6) alone", {"loss": ("absolute", "positive")}),
    "signed": Control("eq. 7 as printed, without bars", {"loss": ("absolute", "signed")}),
    "reference": Control(
        "bars around each cosine, as in the authors' code", {"loss": ("absolute", "reference")}
    ),
    "mse": Control("squared error to eq. 5", {"loss": ("absolute", "mse")}),
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
            if dim_of(usual) != DIM:
                continue
            by_dataset.setdefault(usual.dataset, []).append((control.title, usual, changed))
    header = ["dataset", "control", *METRICS, *(f"{metric}, difference" for metric in METRICS)]
    rows: list[list[str | Difference]] = [[*header]]
    for dataset, changes in by_dataset.items():
        rows.append([dataset, "none", *_shown(changes[0][1]), "–", "–", "–"])
        for title, usual, changed in changes:
            gaps = [difference(changed, usual, metric) for metric in METRICS]
            rows.append([dataset, title, *_shown(changed), *gaps])
        guess = f"{evidence.guessing(dataset):.2f}"
        rows.append([dataset, "guessing", guess, "–", "–", "–", "–", "–"])
    return section("§4 and §5.5", "what the parts are worth", REMARK, rows, text=2)


def _shown(cell: Cell) -> list[str]:
    return [measured(cell.metrics[metric]) for metric in METRICS]


def _guesses(evidence: Evidence, *names: str, codebook: str = "random") -> Iterator[Check]:
    """Whether controls do no better than naming the commonest label."""
    for name in names:
        for usual, control in studied(evidence, name, codebook=codebook):
            guess = evidence.guessing(control.dataset)
            gap = above(control, "P@1", GUESSING * guess)
            half = LEARNED * (usual.mean("P@1") - guess)
            shown = f"{control.mean('P@1'):.2f}{gap.ring} against {guess:.2f}"
            where = f"{control.dataset}, {name}"
            rule = partial(_learns_nothing, gain=half)
            yield Check(where, shown, runs=(usual.name, control.name), gaps=(gap,), rule=rule)


def _learns_nothing(gap: Difference, gain: float) -> bool | None:
    """No if it is above guessing. Else yes, if a gain that counts as learning is ruled out."""
    if gap.at_least(0):
        return False
    return True if gap.narrow[1] < gain else None


def _changes(evidence: Evidence, name: str, rule: Rule, *metrics: str) -> Iterator[Check]:
    """What a control changes in each metric."""
    for usual, control in studied(evidence, name):
        for metric in metrics:
            yield compare(f"{usual.dataset}, {metric}", control, usual, metric, rule)


def _learns(evidence: Evidence) -> Iterator[Check]:
    for cell in {usual.name: usual for usual, _ in studied(evidence, "positive")}.values():
        gap = above(cell, "P@1", evidence.guessing(cell.dataset))
        rule = partial(Difference.at_least, least=SAME)
        yield Check(cell.dataset, runs=(cell.name,), gaps=(gap,), rule=rule)


def _signed_costs(evidence: Evidence) -> Iterator[Check]:
    for usual, signed in studied(evidence, "signed"):
        small = dim_of(usual) < SMALL_SHARE * evidence.n_labels()[usual.dataset]
        if small and not usual.settings["hrr"]["learn_pm"]:
            where = f"{usual.dataset}, d' = {dim_of(usual)}"
            yield compare(where, signed, usual, "P@1", is_worse)


AS_GUESSING = (
    f"P@1 is not above {GUESSING} times that of always naming the commonest label, and a gain over "
    f"it of {LEARNED:g} times the usual model's is ruled out (one-sided tests)"
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
        says="|cos| for each label in place of eqs. 6 and 7 gives the same results",
        published="the same",
        rule="P@1, P@5 and PSP@1 are the same (two one-sided tests, margin 1 point)",
        judge=lambda evidence: _changes(evidence, "reference", is_same, *METRICS),
        remark="Eq. 7 has bars here. As printed it has none: that is another claim",
    ),
    statement(
        place="§4",
        says="J_p and J_n can simply be added: the sum learns",
        published="works",
        rule="With J_p + |J_n|, P@1 is more than a point above always naming the commonest label "
        "(one-sided test)",
        judge=_learns,
    ),
    ours(
        place="§4",
        says="The negative term adds nothing to J_p",
        published="not stated",
        rule="P@1 and P@5 are the same with J_p alone (two one-sided tests, margin 1 point)",
        judge=lambda evidence: _changes(evidence, "positive", is_same, "P@1", "P@5"),
    ),
    ours(
        place="§4, eq. 7",
        says="Eq. 7 as printed, without bars, costs accuracy at small d'",
        published="not stated",
        rule="P@1 is worse than with bars, at each d' below a fifth of the labels",
        judge=_signed_costs,
    ),
    statement(
        place="§5.5",
        says="Learned label vectors without the projection end in random guessing",
        published="random guessing",
        rule=AS_GUESSING,
        judge=lambda evidence: _guesses(evidence, "unprojected", codebook="learned"),
    ),
)
