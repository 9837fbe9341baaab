"""Figure 2: P@k against d', and where it stops growing."""

from dataclasses import dataclass

from matplotlib.figure import Figure

from hrrxml.report.significance import SAME, paired
from hrrxml.report.drawing import SERIES
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured, over_seeds
from papers.studies.alike import groups

FEWEST = 4  # dimensions that make a curve
SHARE = 0.1  # of the labels: where the paper sees the plateau
REMARK = (
    "HRR-FC with stored random vectors, tuned settings, mean ± deviation (seeds). *Share* is d' "
    "as a part of the labels L. The last column is how much of P@5 is still missing to the "
    "largest d'; a star: a paired test over seeds calls that a difference."
)


@dataclass(frozen=True)
class Line:
    """One dataset's cells by growing d'."""

    dataset: str
    n_labels: int
    by_dim: dict[int, Cell]

    def near_share(self) -> int:
        """The tested d' nearest to a tenth of the labels, by ratio."""
        wanted = SHARE * self.n_labels
        return min(self.by_dim, key=lambda d: max(d / wanted, wanted / d))

    def enough(self) -> float | None:
        """The least d' whose P@5 is within a point of the best, as a share of the labels.

        None if that is the largest that was tried: a larger one might do better.
        """
        best = max(cell.mean("P@5") for cell in self.by_dim.values())
        least = min(d for d, cell in self.by_dim.items() if cell.mean("P@5") >= best - SAME)
        return None if least == max(self.by_dim) else least / self.n_labels


def lines(cells: list[Cell], n_labels: dict[str, int]) -> list[Line]:
    plain = [cell for cell in cells if _is_the_papers(cell)]
    found = []
    for group in groups(plain, ("hrr", "dim")):
        if len(group) >= FEWEST:
            by_dim = {int(str(dim)): cell for (dim,), cell in group.items()}
            dataset = next(iter(by_dim.values())).dataset
            found.append(Line(dataset, n_labels[dataset], dict(sorted(by_dim.items()))))
    return found


def _is_the_papers(cell: Cell) -> bool:
    """Stored random vectors, all fixed."""
    hrr = cell.settings.get("hrr", {})
    return hrr.get("codebook") == "random" and not hrr["learn_pm"]


def markdown(found: list[Line], figure: str) -> str:
    if not found:
        return ""
    rows = [["dataset", "d'", "share", "P@1", "P@3", "P@5", "P@5, missing"]]
    for line in found:
        last = list(line.by_dim.values())[-1]
        for dim, cell in line.by_dim.items():
            shown = [measured(cell.metrics[metric]) for metric in ("P@1", "P@3", "P@5")]
            missing = paired(cell.metrics["P@5"], last.metrics["P@5"]).short
            share = f"{dim / line.n_labels:.1%}"
            rows.append([line.dataset, str(dim), share, *shown, "–" if cell is last else missing])
    return "\n\n".join(
        ["## Figure 2: how large d' has to be", REMARK, markdown_table(rows), figure]
    )


def draw(found: list[Line]) -> Figure:
    """P@5 against d' / L, every dataset relative to its best."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    absolute, relative = figure.subplots(1, 2)
    for line, style in zip(found, SERIES, strict=False):
        p5 = [cell.mean("P@5") for cell in line.by_dim.values()]
        spread = [over_seeds(cell.metrics["P@5"])["std"] for cell in line.by_dim.values()]
        label = f"{line.dataset} (L = {line.n_labels:,})"
        absolute.errorbar(list(line.by_dim), p5, spread, label=label, **style)
        shares = [100 * dim / line.n_labels for dim in line.by_dim]
        relative.plot(shares, [100 * value / max(p5) for value in p5], **style)
    relative.axvline(100 * SHARE, color="grey", linestyle=":")
    absolute.set(xlabel="d'", ylabel="P@5, %", xscale="log")
    relative.set(xlabel="d', % of the labels", ylabel="P@5, % of the best", xscale="log")
    figure.legend(loc="outside right upper")
    return figure
