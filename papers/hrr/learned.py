"""Table 5: label vectors c learned through the projection, or fixed (§5.5)."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from statistics import mean

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.alike import Rule, compare, difference, dim_of, pairs
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import controls, section, statement
from papers.published import PUBLISHED
from papers.rules import is_not_better, is_same
from papers.section import Section
from papers.significance import Difference

stated = partial(statement, about=frozenset({"wiki10-31k"}))
HALF = 0.5  # of all labels: a model that selects more has collapsed
REMARK = (
    "P@5, mean ± standard deviation (seeds), tuned settings. Fixed and learned vectors start at "
    "the same random values. A star marks a difference that a test over seeds and test points "
    "shows. *Loss* is that of the learned ones in training, in the first and in the last epoch, "
    "and *selected* the share of all labels whose score a threshold of 0.5 lets through. In the "
    "last column the learned ones are not projected."
)
COLLAPSE = (
    "Learned vectors *collapse* where more than half of all labels are selected: the loss is "
    "almost gone, but nearly every label answers every point. Eq. 6 asks that present labels "
    "answer, and nothing in it asks that absent ones do not. The paper reports no such thing. So "
    "these runs are not its Table 5, and decide nothing about it."
)
WIKI = "The paper's figures, P@5 on Wiki10-31K:"


def studied(evidence: Evidence) -> list[tuple[Cell, Cell]]:
    """Pairs of fixed and learned c, projected and otherwise alike, by dataset and d'."""
    cells = evidence.all_cells
    projected = [cell for cell in cells if cell.settings.get("hrr", {}).get("projection")]
    both = pairs(projected, "hrr", codebook=("random", "learned"))
    return sorted(both, key=lambda pair: (pair[0].dataset, dim_of(pair[0])))


def sections(evidence: Evidence) -> list[Section]:
    header = ["dataset", "d'", "fixed c", "learned c", "learned less fixed", "P@1", "loss"]
    rows: list[list[str | Difference]] = [[*header, "selected", "learned, no projection"]]
    unprojected = {
        usual.name: measured(control.metrics["P@5"])
        for usual, control in controls.studied(evidence, "unprojected", codebook="learned")
    }
    for fixed, learned in studied(evidence):
        shown = [measured(cell.metrics["P@5"]) for cell in (fixed, learned)]
        gaps = [difference(learned, fixed, metric) for metric in ("P@5", "P@1")]
        free = unprojected.get(learned.name, "–")
        how = [" → ".join(f"{loss:.2f}" for loss in losses(learned)), _percent(evidence, learned)]
        rows.append([fixed.dataset, str(dim_of(fixed)), *shown, *gaps, *how, free])
    more = (COLLAPSE, WIKI, _printed())
    return section("Table 5", "learned label vectors", REMARK, rows, *more)


def losses(cell: Cell) -> list[float]:
    """The training loss of the first and of the last epoch, mean over seeds."""
    if "train_loss" not in cell.curve:
        return []
    by_seed = cell.curve.groupby("seed")["train_loss"]
    return [float(by_seed.first().mean()), float(by_seed.last().mean())]


def selected(evidence: Evidence, cell: Cell) -> float | None:
    """The share of all labels that a threshold of 0.5 selects; None if it was not recorded."""
    if not cell.at_threshold:
        return None
    return mean(cell.at_threshold["per_point"]) / evidence.n_labels()[cell.dataset]


def _percent(evidence: Evidence, cell: Cell) -> str:
    share = selected(evidence, cell)
    return "–" if share is None else f"{share:.0%}"


def has_collapsed(evidence: Evidence, cell: Cell) -> bool:
    return (selected(evidence, cell) or 0) > HALF


def _printed() -> str:
    """The paper's table."""
    rows = [["hidden", "d'", "fixed c", "learned c", "learned less fixed"]]
    for hidden, dim, fixed, learned in PUBLISHED["table5"]:
        figures = [f"{fixed:.2f}", f"{learned:.2f}", f"{learned - fixed:+.2f}"]
        rows.append([str(hidden), str(dim), *figures])
    return markdown_table(rows)


def _learned(evidence: Evidence, rule: Rule) -> Iterator[Check]:
    for fixed, learned in studied(evidence):
        check = compare(f"{fixed.dataset}, d' = {dim_of(fixed)}", learned, fixed, "P@5", rule)
        if has_collapsed(evidence, learned):
            check = replace(check, figure="{0}, collapsed", rule=lambda _: None)
        yield check


CLAIMS = (
    stated(
        place="§5.5, Table 5",
        says="Learning the label vectors c has no benefit",
        published="−1.56 to +0.09",
        rule="P@5 with learned c is not better; undecided where they collapse",
        judge=partial(_learned, rule=is_not_better),
    ),
    stated(
        place="§5.5, Table 5",
        says="Learning the label vectors c makes no difference",
        published="−1.56 to +0.09",
        rule="P@5 with learned and with fixed c is the same (two one-sided tests, margin 1 point); "
        "undecided where they collapse",
        judge=partial(_learned, rule=is_same),
    ),
)
