"""Figure 8: p and m, which mark labels as present and absent, fixed or learned."""

from matplotlib.figure import Figure

from hrrxml.report.significance import paired
from hrrxml.report.drawing import SERIES
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell
from papers.studies.alike import pairs

METRICS = ("P@1", "P@3", "P@5")
REMARK = (
    "Fixed less learned, so that more than 0 speaks for fixed ones, as in the paper's figure; "
    "tuned settings, paired by seed, a star where a test calls it a difference."
)


def studied(cells: list[Cell]) -> list[tuple[Cell, Cell]]:
    """Fixed and learned, otherwise alike, by dataset and d'."""
    found = pairs(cells, "hrr", learn_pm=(False, True))
    return sorted(found, key=lambda pair: (pair[0].dataset, dim(pair[0])))


def dim(cell: Cell) -> int:
    return int(cell.settings["hrr"]["dim"])


def markdown(cells: list[Cell], figure: str) -> str:
    rows = [["dataset", "d'", *METRICS, "seeds"]]
    for fixed, learned in studied(cells):
        gaps = [paired(fixed.metrics[m], learned.metrics[m]) for m in METRICS]
        rows.append([fixed.dataset, str(dim(fixed)), *(gap.short for gap in gaps), str(gaps[0].n)])
    if len(rows) == 1:
        return ""
    title = "## Figure 8: p and m fixed or learned"
    return "\n\n".join([title, REMARK, markdown_table(rows), figure])


def draw(cells: list[Cell]) -> Figure:
    """A panel for each metric, a line for each dataset, with the deviation of the gaps."""
    found = studied(cells)
    datasets = list(dict.fromkeys(fixed.dataset for fixed, _ in found))
    figure = Figure(figsize=(10, 3.2), layout="constrained")
    for axis, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        axis.axhline(0, color="grey", linestyle=":")
        for dataset, style in zip(datasets, SERIES, strict=False):
            mine = [pair for pair in found if pair[0].dataset == dataset]
            gaps = [
                paired(fixed.metrics[metric], learned.metrics[metric]) for fixed, learned in mine
            ]
            spreads = [gap.spread or 0 for gap in gaps]
            dims = [dim(fixed) for fixed, _ in mine]
            label = dataset if metric == METRICS[0] else None
            axis.errorbar(dims, [gap.gap for gap in gaps], spreads, label=label, **style)
        axis.set(xlabel="d'", xscale="log", title=metric)
    figure.axes[0].set_ylabel("fixed less learned, points")
    figure.legend(loc="outside right upper")
    return figure
