"""How long each recorded run trained, and whether it was still improving when it stopped."""

from collections.abc import Iterable
from dataclasses import dataclass

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell
from papers.claim import Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs

REMARK = (
    "The epoch that was kept, over the epochs that were trained, mean over seeds. A run with a "
    "patience stops after so many epochs without a better one, so its best epoch cannot be its "
    "last; *unfinished* marks runs of a fixed number of epochs of which most seeds were best at "
    "the last one: another epoch might have raised them, and a verdict that rests on them is "
    "weak.\n\n"
    "*Search*: settings were chosen on the validation split by hand. How many were tried was not "
    "written down when they were chosen; the runs with a patience took them over, and nothing was "
    "searched again for them. Settings of the authors' code and of the paper were not searched, "
    "and nothing was for the suite `library`."
)
CLAIMS: tuple[Claim, ...] = ()


@dataclass(frozen=True)
class Length:
    """The epochs of one run's seeds."""

    kept: list[int]
    trained: list[int]
    patience: int | None
    budget: int

    @property
    def is_unfinished(self) -> bool:
        last = sum(kept == trained for kept, trained in zip(self.kept, self.trained, strict=True))
        return last > len(self.kept) / 2


def length(cell: Cell) -> Length:
    """The epoch with the best validation P@1, or the least validation loss, of each seed."""
    settings, kept, trained = cell.settings["train"], [], []
    for _, curve in cell.curve.groupby("seed"):
        by_loss = settings["epoch_by"] == "loss"
        quality = -curve["validation_loss"] if by_loss else curve["validation_p1"]
        kept.append(int(curve["epoch"][quality.idxmax()]))
        trained.append(int(curve["epoch"].max()))
    return Length(kept, trained, settings["patience"], settings["epochs"])


def sections(evidence: Evidence) -> list[Section]:
    cells = [cell for cell in evidence.all_cells if len(cell.curve)]
    if not cells:
        return []
    lengths = {cell.name: length(cell) for cell in cells}
    unfinished = [name for name, each in lengths.items() if each.is_unfinished]
    counted = f"{len(unfinished)} of {len(lengths)} recorded runs are unfinished."
    rows = [["run", "best epoch", "trained", "at most", "patience", ""]]
    for name, each in lengths.items():
        shown = [_mean(each.kept), _mean(each.trained), str(each.budget)]
        patience = "–" if each.patience is None else str(each.patience)
        rows.append([name, *shown, patience, "unfinished" if each.is_unfinished else ""])
    title = "how long each run trained"
    body = paragraphs([REMARK, counted, markdown_table(rows)])
    return [Section("ours", "training", title, body)]


def _mean(values: Iterable[int]) -> str:
    listed = list(values)
    return f"{sum(listed) / len(listed):.1f}"
