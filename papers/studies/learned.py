"""Table 5: label vectors c learned, through the projection, or fixed."""

from hrrxml.report.significance import paired
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.studies import controls
from papers.studies.alike import pairs

REMARK = (
    "P@5, mean ± deviation (seeds), tuned settings; both start at the same random vectors. In the "
    "last column the learned ones are not projected. A "
    "star: a paired test over seeds calls it a difference. The paper's, on Wiki10-31K: 55.06 "
    "fixed and 53.50 learned for 512 hidden units and d' = 400, 58.51 and 58.18 for 2048 and "
    "3000."
)


def studied(cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Fixed and learned, both projected, otherwise alike, by dataset and d'."""
    projected = [cell for cell in cells if cell.settings.get("hrr", {}).get("projection")]
    found = pairs(projected, "hrr", codebook=("random", "learned"))
    return sorted(found, key=lambda pair: (pair[0].dataset, pair[0].settings["hrr"]["dim"]))


def markdown(cells: list[Cell]) -> str:
    header = ["dataset", "d'", "fixed c", "learned c", "learned less fixed", "P@1"]
    rows = [[*header, "learned, no projection"]]
    unprojected = {
        usual.name: measured(control.metrics["P@5"])
        for usual, control in controls.studied(cells, "unprojected", codebook="learned")
    }
    for fixed, learned in studied(cells):
        shown = [measured(cell.metrics["P@5"]) for cell in (fixed, learned)]
        gaps = [paired(learned.metrics[m], fixed.metrics[m]).short for m in ("P@5", "P@1")]
        dim, free = str(fixed.settings["hrr"]["dim"]), unprojected.get(learned.name, "–")
        rows.append([fixed.dataset, dim, *shown, *gaps, free])
    if len(rows) == 1:
        return ""
    return "\n\n".join(["## Table 5: learned label vectors", REMARK, markdown_table(rows)])
