"""What the parts of the method are worth: each left out, or done otherwise, by itself."""

from dataclasses import dataclass

from hrrxml.report.significance import Difference, paired
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, measured
from papers.studies.alike import pairs

METRICS = ("P@1", "P@5", "PSP@1")
REMARK = (
    "HRR-FC with stored random vectors, tuned settings, mean ± deviation (seeds); below it, one "
    "part at a time left out or done otherwise, and the difference that makes, paired by seed, "
    "with a star where a test calls it one. *Guessing* is always naming the commonest labels of "
    "the training points."
)


@dataclass(frozen=True)
class Control:
    title: str
    changed: dict[str, tuple[object, object]]  # keys of the section `hrr`: as usual, and here


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


def studied(cells: list[Cell], name: str, *, codebook: str = "random") -> list[tuple[Cell, Cell]]:
    """The usual cell and the control, of every dataset that has both."""
    control = CONTROLS[name]
    alike = [c for c in cells if c.settings.get("hrr", {}).get("codebook") == codebook]
    return pairs(alike, "hrr", **control.changed)


def effect(usual: Cell, control: Cell, metric: str) -> Difference:
    return paired(control.metrics[metric], usual.metrics[metric])


def markdown(cells: list[Cell], guessing: dict[str, float]) -> str:
    """A table for each dataset; `guessing` is the P@1 of the commonest label."""
    found = {name: studied(cells, name) for name in CONTROLS}
    datasets = dict.fromkeys(pair[0].dataset for pairs in found.values() for pair in pairs)
    rows = [["dataset", "control", *METRICS, *(f"{metric}, difference" for metric in METRICS)]]
    for dataset in datasets:
        mine = {n: [p for p in found[n] if p[0].dataset == dataset] for n in CONTROLS}
        usual = next(pairs[0][0] for pairs in mine.values() if pairs)
        rows.append([dataset, "none", *_shown(usual), "–", "–", "–"])
        for name, control in CONTROLS.items():
            for before, after in mine[name]:
                gaps = [effect(before, after, metric).short for metric in METRICS]
                rows.append([dataset, control.title, *_shown(after), *gaps])
        rows.append([dataset, "guessing", f"{guessing[dataset]:.2f}", "–", "–", "–", "–", "–"])
    if len(rows) == 1:
        return ""
    title = "## Controls: what the parts are worth"
    return "\n\n".join([title, REMARK, markdown_table(rows, text=2)])


def _shown(cell: Cell) -> list[str]:
    return [measured(cell.metrics[metric]) for metric in METRICS]
