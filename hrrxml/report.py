"""The report in Markdown: what was measured, and what was published beside it."""

from collections.abc import Iterable, Mapping
from typing import Any

from hrrxml import figures, paths
from hrrxml.comparison import with_deviation
from hrrxml.markdown import markdown_table
from hrrxml.published import PUBLISHED
from hrrxml.results import Cell, Summary, by_dataset, summarise

ENCODERS = ("fc", "cnn", "lstm")
COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5", "PSnDCG@5")
SLIP = (
    "The published PSP@1 of FC on Delicious equals that on Mediamill and is perhaps a slip; "
    "without it the lowest ratio of HRR-FC to FC is 0.65×, not 0.47×."
)
TABLE6 = (
    "Counted over all points, as the paper does for its small datasets; for those from Wiki10-31K "
    "on it counts the training points alone, for which the last column stands."
)
ACCURACY = (
    "Suite `accuracy`: mean ± standard deviation over seeds on the test split. Settings were "
    "chosen on the validation split alone, one for each dataset and model; peers have their "
    "packages' defaults and learn from the same training split. *Three* models are ranked by the "
    "mean of their scores, over all choices of three of the seeds; Parabel has three trees."
)


def markdown(
    cells: list[Cell], datasets: dict[str, Any], capacity: str, accuracy: str, *studies: str
) -> str:
    """One table per dataset, the paper's figures against ours, and the studies."""
    parts = ["# Results", "Percent on the test split; the epoch is chosen on the validation split."]
    for dataset, group in by_dataset(cells).items():
        parts += [f"## {dataset}", table(group)]
    parts += [_figure("runs", name) for name in figures.NAMES]
    parts += ["## HRR against the baselines", "The paper's range over its datasets, and ours."]
    parts += [hrr_against_baselines(cells)]
    parts += ["## Table 1", f"P@1 / PSP@1. {SLIP}"]
    parts += [table1(summarise(cells), others=PUBLISHED["table1"])]
    if accuracy:
        parts += ["## Accuracy: tuned models, other codebooks and other tools", ACCURACY, accuracy]
    parts += ["## Table 6: the datasets", TABLE6, table6(datasets)]
    parts += ["## Capacity: how many bound pairs a vector holds (§3.1, appendix D)", capacity]
    parts += [_figure("capacity", f"figure{number}") for number in (1, 5, 6, 7)]
    return "\n\n".join([*parts, *filter(None, studies)]) + "\n"


def table(cells: list[Cell]) -> str:
    """Every model's metrics, size and speed on one dataset."""
    rows = [["model", *COLUMNS, "output parameters", "best epoch", "s / epoch"]]
    for cell in cells:
        row = [cell.model, *(with_deviation(cell.metrics[column]) for column in COLUMNS)]
        row += [f"{cell.parameters['output']:,}", _best_epochs(cell), f"{_seconds(cell):.1f}"]
        rows.append(row)
    return markdown_table(rows)


def hrr_against_baselines(cells: list[Cell]) -> str:
    """What replacing the output layer gained: the paper's range over its datasets, and ours."""
    pairs = _pairs(cells)
    heads = [f"{dataset} {encoder}" for dataset, encoder in pairs]
    rows = [["HRR against the baseline", *(f"paper, {encoder}" for encoder in ENCODERS), *heads]]
    for place, metric in enumerate(("P@1", "PSP@1")):
        published = [_published_ratios(encoder, place) for encoder in ENCODERS]
        ours = (_ratio(hrr.mean(metric), base.mean(metric)) for base, hrr in pairs.values())
        rows.append([f"{metric}, ratio", *published, *ours])
    outputs = [
        (base.parameters["output"], hrr.parameters["output"]) for base, hrr in pairs.values()
    ]
    saved = [f"{100 * (1 - hrr / base):.2f}%" for base, hrr in outputs]
    rows.append(["output parameters saved", _range(PUBLISHED["table2"], "%"), "–", "–", *saved])
    faster = [f"{_seconds(base) / _seconds(hrr):.1f}×" for base, hrr in pairs.values()]
    rows.append(["training speed", _range(PUBLISHED["table3"], "×"), "–", "–", *faster])
    return markdown_table(rows)


def _pairs(cells: list[Cell]) -> dict[tuple[str, str], tuple[Cell, Cell]]:
    """(dataset, encoder) → its baseline and its HRR model, where both were run."""
    models = {(cell.dataset, cell.model): cell for cell in cells}
    wanted = [(dataset, encoder) for dataset in by_dataset(cells) for encoder in ENCODERS]
    return {
        (dataset, encoder): (models[dataset, encoder], models[dataset, f"hrr-{encoder}"])
        for dataset, encoder in wanted
        if {(dataset, encoder), (dataset, f"hrr-{encoder}")} <= set(models)
    }


def _published_ratios(encoder: str, place: int) -> str:
    rows = [row for row in PUBLISHED["table1"].values() if encoder in row]
    ratios = [row[f"hrr-{encoder}"][place] / row[encoder][place] for row in rows]
    return _range(dict(enumerate(ratios)), "×")


def table1(summary: Summary, others: Iterable[str] = ()) -> str:
    """Every baseline and its HRR model as measured and as published, for other datasets too."""
    published = PUBLISHED["table1"]
    rows = [["dataset and encoder", "baseline, paper", "HRR, paper", "baseline, ours", "HRR, ours"]]
    for dataset in [*summary, *(name for name in others if name not in summary)]:
        for encoder in ENCODERS:
            paper, ours = published.get(dataset, {}), summary.get(dataset, {})
            if encoder in paper or encoder in ours:
                models = (encoder, f"hrr-{encoder}")
                printed = [paper.get(model, []) for model in models]
                measured = [
                    [f"{ours[model][name]['mean']:.2f}" for name in ("P@1", "PSP@1")]
                    if model in ours
                    else []
                    for model in models
                ]
                figures = [" / ".join(map(str, pair)) or "–" for pair in printed + measured]
                rows.append([f"{dataset}, {encoder}", *figures])
    return markdown_table(rows)


def table6(datasets: dict[str, Any]) -> str:
    """Every prepared dataset as counted, beside the paper's figures."""
    columns = ("features", "labels", "labels_per_point", "points_per_label")
    heads = [f"{column.replace('_', ' ')} (paper)" for column in columns]
    rows = [["dataset", "points, train + test", *heads, "train points per label"]]
    for name, found in datasets.items():
        published = found["table6"]
        cells = [f"{found[c]} ({published[c]})" if published else f"{found[c]}" for c in columns]
        points = " + ".join(map(str, found["points"]))
        rows.append([name, points, *cells, f"{found['train_points_per_label']}"])
    return markdown_table(rows)


def beside_table6(datasets: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Statistics as counted, each with what the paper printed for that dataset."""
    return {
        name: found | {"table6": PUBLISHED["table6"].get(name)} for name, found in datasets.items()
    }


def _best_epochs(cell: Cell) -> str:
    """The epoch kept, or the first and last of those kept over the seeds."""
    best = cell.curve.loc[cell.curve.groupby("seed")["validation_p1"].idxmax(), "epoch"]
    return "–".join(map(str, sorted({best.min(), best.max()})))


def _seconds(cell: Cell) -> float:
    """A typical epoch's."""
    return float(cell.curve["seconds"].median())


def _ratio(ours: float, baseline: float) -> str:
    return f"{ours / baseline:.2f}×" if baseline else "–"


def _range(values: Mapping[Any, float], unit: str) -> str:
    numbers = sorted(values.values())
    return f"{numbers[0]:.2f}{unit} to {numbers[-1]:.2f}{unit}"


def _figure(group: str, name: str) -> str:
    return f"![{name}](../{paths.figure(group, name)})"
