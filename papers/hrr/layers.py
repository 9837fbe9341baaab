"""Table 4: more and wider layers, for the baseline and for HRR-FC (§5.5)."""

from collections.abc import Iterator
from functools import partial

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.alike import Group, Rule, compare, difference, difference_of_gains, groups
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import section, statement
from papers.published import PUBLISHED
from papers.rules import is_better, is_same, is_worse
from papers.section import Section
from papers.significance import Difference

LAYERS, HIDDEN, DIM = ("fc", "layers"), ("fc", "hidden"), ("hrr", "dim")
BASE = (2, 512)
PRINTED = {  # of Wiki10-31K: P@5 by layers, hidden units and outputs
    model: {tuple(shape): p5 for *shape, p5 in rows} for model, rows in PUBLISHED["table4"].items()
}
FC_BASE, *FC_OTHERS = PRINTED["fc"].values()
FC_GAIN, HRR_GAIN = max(FC_OTHERS) - FC_BASE, 1.52  # at most, by another shape
HRR_SMALL = 53.25  # P@5 of the smallest HRR-FC, on Wiki10-31K
HRR_LARGE = max(PRINTED["hrr-fc"].values())
stated = partial(statement, about=frozenset({"wiki10-31k"}))
REMARK = (
    "P@5, mean ± standard deviation (seeds), tuned settings, HRR with stored random vectors. The "
    "difference is to the network of 2 × 512 with the same d' (–: not trained); a star marks a "
    "difference that a test over seeds and test points shows."
)
WIKI = "The paper's figures, which are for Wiki10-31K:"


def baselines(evidence: Evidence) -> list[Group]:
    """Each dataset's FCs by (layers, hidden)."""
    plain = [cell for cell in evidence.all_cells if "bce" in cell.settings]
    return [group for group in groups(plain, LAYERS, HIDDEN) if _is_study(group)]


def holographic(evidence: Evidence) -> list[Group]:
    """Each dataset's HRR-FCs by (layers, hidden, d')."""
    by_shape = groups(evidence.all_cells, LAYERS, HIDDEN, DIM)
    return [group for group in map(_at_studied_dims, by_shape) if _is_study(group)]


def _is_study(group: Group) -> bool:
    """Holds the base network and another number of layers. Table 1 varies the width alone."""
    shapes = {shape[:2] for shape in group}
    return BASE in shapes and len({layers for layers, _ in shapes}) > 1


def _at_studied_dims(group: Group) -> Group:
    """Without the d' that only the base network was trained with: those belong to Figure 2."""
    dims = {shape[2] for shape in group if shape[:2] != BASE}
    return {shape: cell for shape, cell in group.items() if shape[2] in dims}


def _base_of(shape: tuple[int, ...], group: Group) -> Cell | None:
    """The base network with the same output, if it was trained."""
    return group.get((*BASE, *shape[2:]))


def sections(evidence: Evidence) -> list[Section]:
    header = ["dataset", "model", "layers × hidden", "d'", "P@5", "difference", "parameters"]
    rows: list[list[str | Difference]] = [[*header]]
    for group in [*baselines(evidence), *holographic(evidence)]:
        for shape, cell in sorted(group.items()):
            base = _base_of(shape, group)
            gap = difference(cell, base, "P@5") if base else "–"
            model, dim = ("FC", "–") if len(shape) == 2 else ("HRR-FC", str(shape[2]))
            shown = [f"{shape[0]} × {shape[1]}", dim, measured(cell.metrics["P@5"])]
            size = f"{cell.parameters['network']:,}"
            rows.append([cell.dataset, model, *shown, "–" if cell is base else gap, size])
    return section("Table 4", "larger networks", REMARK, rows, WIKI, _printed(), text=3)


def _printed() -> str:
    """The paper's table."""
    rows = [["model", "layers × hidden", "outputs", "P@5"]]
    for model, figures in PRINTED.items():
        for (layers, hidden, outputs), p5 in figures.items():
            rows.append([model.upper(), f"{layers} × {hidden}", f"{outputs:,}", f"{p5:.2f}"])
    return markdown_table(rows, text=2)


def _shown(shape: tuple[int, ...]) -> str:
    output = f", d' = {shape[2]}" if len(shape) > 2 else ""
    return f"{shape[0]} × {shape[1]}{output}"


def _other_shapes(all_groups: list[Group], rule: Rule) -> Iterator[Check]:
    """Every network of another shape, against 2 × 512 with the same output."""
    for group in all_groups:
        for shape, cell in sorted(group.items()):
            base = _base_of(shape, group)
            if base is not None and base is not cell:
                yield compare(f"{cell.dataset}, {_shown(shape)}", cell, base, "P@5", rule)


def _larger_hrr(evidence: Evidence) -> Iterator[Check]:
    """The largest d' with the largest network, against the least of both."""
    as_printed = partial(is_better, published=HRR_LARGE - HRR_SMALL)
    for group in holographic(evidence):
        least, *_, largest = sorted(group, key=lambda shape: (shape[2], shape))
        if largest[2] != least[2]:
            cell, base = group[largest], group[least]
            where = f"{cell.dataset}, {_shown(largest)} less {_shown(least)}"
            yield compare(where, cell, base, "P@5", as_printed)


def _benefits_less(evidence: Evidence) -> Iterator[Check]:
    """The gain by another shape over 2 × 512: FC's less HRR-FC's."""
    plain = {_dataset(group): group for group in baselines(evidence)}
    rule = partial(is_worse, published=HRR_GAIN - FC_GAIN)
    for group in holographic(evidence):
        fcs = plain.get(_dataset(group), {})
        for shape, cell in sorted(group.items()):
            fc, base = fcs.get(shape[:2]), _base_of(shape, group)
            if fc and base and cell is not base:
                less = difference_of_gains((fc, fcs[BASE]), (cell, base), "P@5")
                gains = [c.mean("P@5") - b.mean("P@5") for c, b in ((fc, fcs[BASE]), (cell, base))]
                shown = f"FC {gains[0]:+.2f}, HRR-FC {gains[1]:+.2f}: {{0}}"
                runs = (fcs[BASE].name, fc.name, base.name, cell.name)
                where = f"{cell.dataset}, {_shown(shape)}"
                yield Check(where, shown, runs=runs, gaps=(less,), rule=rule)


def _dataset(group: Group) -> str:
    return next(iter(group.values())).dataset


CLAIMS = (
    stated(
        place="§5.5, Table 4",
        says="Even moderate changes to the baseline's layers lower its accuracy",
        published=f"{FC_BASE} → {min(FC_OTHERS)} to {max(FC_OTHERS)}",
        rule="P@5 of FC is worse than that of 2 × 512",
        judge=lambda evidence: _other_shapes(baselines(evidence), is_worse),
        remark="One of the paper's own changes raises it",
    ),
    stated(
        place="§5.5, Table 4",
        says="A larger HRR-FC with a larger d' gains accuracy",
        published=f"{HRR_SMALL} → {HRR_LARGE}",
        rule="P@5 of the largest network and d' is better than of the smallest",
        judge=_larger_hrr,
    ),
    stated(
        place="§5.5, Table 4",
        says="More layers or hidden neurons have minor impact on HRR-FC",
        published="minor",
        rule="P@5 is the same as that of 2 × 512 (two one-sided tests, margin 1 point)",
        judge=lambda evidence: _other_shapes(holographic(evidence), is_same),
    ),
    stated(
        place="Table 4",
        says="More layers or hidden neurons benefit the baseline less than HRR-FC",
        published=f"{FC_GAIN:+.2f} and {HRR_GAIN:+.2f} at most",
        rule="A test shows that another shape gains less P@5 over 2 × 512, with the same output, "
        "for FC than for HRR-FC; no, if it gains more, or if the printed difference is ruled out",
        judge=_benefits_less,
    ),
)
