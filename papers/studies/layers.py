"""Table 4: more and wider layers, for the baseline and for HRR-FC."""

from hrrxml.report.significance import paired
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.studies.alike import Group, groups

LAYERS, HIDDEN, DIM = ("fc", "layers"), ("fc", "hidden"), ("hrr", "dim")
BASE = (2, 512)
REMARK = (
    "P@5, mean ± deviation (seeds), tuned settings, HRR with stored random vectors. The difference "
    "is to the network of 2 × 512 with the same d' (–: not trained); a star: a paired test calls "
    "it one. The paper's figures are of Wiki10-31K (FC 2 × 512 46.64 and 3 × 2048 45.25; HRR "
    "3 × 512 with d' = 400 55.06, 3 × 2048 55.36, with d' = 3000 58.51)."
)


def baselines(cells: list[Cell]) -> list[Group]:
    """Each dataset's by (layers, hidden)."""
    found = groups([cell for cell in cells if "bce" in cell.settings], LAYERS, HIDDEN)
    return [group for group in found if _is_study(group)]


def holographic(cells: list[Cell]) -> list[Group]:
    """Each dataset's HRR-FCs by (layers, hidden, d')."""
    found = [_at_studied_dims(group) for group in groups(cells, LAYERS, HIDDEN, DIM)]
    return [group for group in found if _is_study(group)]


def _is_study(group: Group) -> bool:
    """The usual network, and one of another number of layers: 768 units alone are Table 1's."""
    shapes = {shape[:2] for shape in group}
    return BASE in shapes and len({layers for layers, _ in shapes}) > 1


def _at_studied_dims(group: Group) -> Group:
    """Without the d' that only the usual network was trained with: those are Figure 2's."""
    dims = {shape[2] for shape in group if shape[:2] != BASE}
    return {shape: cell for shape, cell in group.items() if shape[2] in dims}


def base_of(shape: tuple[object, ...], group: Group) -> Cell | None:
    """The usual network with the same output, if it was trained."""
    return group.get((*BASE, *shape[2:]))


def markdown(cells: list[Cell]) -> str:
    rows = [["dataset", "model", "layers × hidden", "d'", "P@5", "difference", "parameters"]]
    for group in [*baselines(cells), *holographic(cells)]:
        for shape, cell in sorted(group.items()):
            base = base_of(shape, group)
            gap = paired(cell.metrics["P@5"], base.metrics["P@5"]).short if base else "–"
            dim = "–" if len(shape) == 2 else str(shape[2])
            model = "FC" if len(shape) == 2 else "HRR-FC"
            shown = [f"{shape[0]} × {shape[1]}", dim, measured(cell.metrics["P@5"])]
            size = f"{cell.parameters['network']:,}"
            rows.append([cell.dataset, model, *shown, "–" if cell is base else gap, size])
    if len(rows) == 1:
        return ""
    return "\n\n".join(["## Table 4: larger networks", REMARK, markdown_table(rows, text=3)])
