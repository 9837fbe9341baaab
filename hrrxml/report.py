"""The report in Markdown: what was published, what was measured, and how far to trust it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from hrrxml import claims, comparison, figures, paths, text_findings
from hrrxml.bench import figures as speed_figures
from hrrxml.bench import findings as speed
from hrrxml.capacity import findings as capacity_findings
from hrrxml.drawing import save
from hrrxml.evidence import Evidence
from hrrxml.glas import figures as glas_figures
from hrrxml.glas import findings as glas
from hrrxml.markdown import markdown_table
from hrrxml.results import Cell, by_dataset, with_deviation
from hrrxml.studies import controls, dims, layers, learned, markers, table1
from hrrxml.theorem import findings as theorem

COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5", "PSnDCG@5")
INTRODUCTION = (
    "*Learning with Holographic Reduced Representations* and *Breaking the Glass Ceiling for "
    "Embedding-Based Classifiers* (GLaS): what they state, and what this code measured. Metrics "
    "are percent of the whole test split; the epoch is chosen on the validation split. Every "
    "figure is the mean over seeds, ± their standard deviation, with the number of seeds beside "
    "it. A difference is called one only where a paired t-test over seeds does, at 5% (in twenty "
    "comparisons of equals, one will)."
)
TABLE6 = (
    "Counted over all points, as the paper does for its small datasets; for those from Wiki10-31K "
    "on it counts the training points alone, for which the last column stands."
)
ACCURACY = (
    "Suite `accuracy`: settings were chosen on the validation split alone, one for each dataset "
    "and model; peers have their packages' defaults and learn from the same training split. "
    "*Three* models are ranked by the mean of their scores, over all choices of three of the "
    "seeds; Parabel has three trees."
)


def draw(chosen: list[Cell], found: Evidence) -> None:
    """Every figure of trained models and of speed; of what was not run, none."""
    for group in ("runs", "studies", "benchmark"):
        paths.figure(group, "").parent.mkdir(parents=True, exist_ok=True)
    for name in figures.ALL if chosen else ():
        figures.draw(name, chosen, paths.figure("runs", name))
    cells = list(found.cells.values())
    if lines := dims.lines(cells, found.n_labels()):
        save(partial(dims.draw, lines), paths.figure("studies", "figure2"))
    if markers.studied(cells):
        save(partial(markers.draw, cells), paths.figure("studies", "figure8"))
    glas_figures.draw(found.followed, paths.figure("studies", "overfitting"))
    speed_figures.draw(found.benchmarks, paths.figure("benchmark", "").parent)


def markdown(
    chosen: list[Cell], ledger: list[dict[str, Any]], found: Evidence, threshold: float
) -> str:
    """Claims first, then the papers' tables and figures, then what goes beyond them."""
    cells = list(found.cells.values())
    guessing = {name: found.guessing(name) for name in found.datasets}
    parts = [
        "# What was published, and what was measured",
        INTRODUCTION,
        claims.markdown(ledger),
        of_chosen(chosen),
        table1.markdown(found.cells),
        dims.markdown(
            dims.lines(cells, found.n_labels()), figure("studies", "figure2", "P@5 by d'")
        ),
        markers.markdown(cells, figure("studies", "figure8", "Fixed less learned p and m, by d'")),
        layers.markdown(cells),
        learned.markdown(cells),
        controls.markdown(cells, guessing),
        accuracy(comparison.markdown(found.of_suite("accuracy"), found.peers)),
        text_findings.markdown(found.of_suite("text"), found.peers, found.datasets),
        table6(found.datasets),
        capacity(capacity_findings.markdown(found.retrieval, threshold)),
        glas.markdown(cells, found.followed, found.peers),
        theorem.markdown(found.theorem),
        speed.markdown(found.benchmarks),
    ]
    return "\n\n".join(part.strip() for part in parts if part) + "\n"


def of_chosen(cells: list[Cell]) -> str:
    """The runs of params.yaml: a table for each dataset, and their figures."""
    if not cells:
        return ""
    parts = ["## The chosen runs", "Those of `params.yaml`, and of `results/summary.json`."]
    for dataset, group in by_dataset(cells).items():
        parts += [f"### {dataset}", table(group)]
    return "\n\n".join([*parts, *(figure("runs", name, alt) for name, alt in figures.ALL.items())])


def table(cells: list[Cell]) -> str:
    """Every model's metrics, size and speed on one dataset."""
    rows = [["model", *COLUMNS, "seeds", "output parameters", "best epoch", "s / epoch"]]
    for cell in cells:
        row = [cell.model, *(with_deviation(cell.metrics[column]) for column in COLUMNS)]
        row += [str(len(cell.metrics["P@1"])), f"{cell.parameters['output']:,}"]
        rows.append([*row, _best_epochs(cell), f"{_seconds(cell):.1f}"])
    return markdown_table(rows)


def accuracy(compared: str) -> str:
    title = "## Accuracy: tuned models, other codebooks and other tools"
    return f"{title}\n\n{ACCURACY}\n\n{compared}" if compared else ""


def capacity(found: str) -> str:
    alts = {
        1: "Responses of present and absent pairs against the number of bound terms",
        5: "Pairs held at the threshold against d",
        6: "Share of retrieval errors against the number of pairs",
        7: "Mean and deviation of single responses against the number of terms",
    }
    shown = [figure("capacity", f"figure{number}", alt) for number, alt in alts.items()]
    title = "## Capacity: how many bound pairs a vector holds (§3.1, appendix D)"
    return "\n\n".join([title, found, *shown])


def table6(datasets: Mapping[str, Any]) -> str:
    """Every prepared dataset as counted, beside the paper's figures."""
    columns = ("features", "labels", "labels_per_point", "points_per_label")
    heads = [f"{column.replace('_', ' ')} (paper)" for column in columns]
    rows = [["dataset", "points, train + test", *heads, "train points per label"]]
    for name, found in datasets.items():
        published = found["table6"]
        cells = [f"{found[c]} ({published[c]})" if published else f"{found[c]}" for c in columns]
        points = " + ".join(map(str, found["points"]))
        rows.append([name, points, *cells, f"{found['train_points_per_label']}"])
    return f"## Table 6: the datasets\n\n{TABLE6}\n\n{markdown_table(rows)}" if datasets else ""


def figure(group: str, name: str, alt: str) -> str:
    return f"![{alt}](../{paths.figure(group, name)})"


def _best_epochs(cell: Cell) -> str:
    """The epoch kept, or the first and last of those kept over the seeds."""
    best = cell.curve.loc[cell.curve.groupby("seed")["validation_p1"].idxmax(), "epoch"]
    return "–".join(map(str, sorted({best.min(), best.max()})))


def _seconds(cell: Cell) -> float:
    """A typical epoch's."""
    return float(cell.curve["seconds"].median())
