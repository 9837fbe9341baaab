"""The report in Markdown: what was measured, and what was published beside it."""

from pathlib import Path

from ruamel.yaml import YAML

from hrrxml import figures, paths
from hrrxml.markdown import markdown_table
from hrrxml.results import Cell, Summary, by_dataset, summarise

COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5", "nDCG@5", "PSnDCG@5")
PUBLISHED = Path(__file__).with_name("published.yaml")


def markdown(cells: list[Cell], capacity: str) -> str:
    """One table a dataset, the paper's Table 1 against ours, and the capacity study."""
    parts = ["# Results", "Percent on the test split; the epoch is chosen on the validation split."]
    for dataset, group in by_dataset(cells).items():
        parts += [f"## {dataset}", table(group)]
    parts += ["## The paper's Table 1 and ours", "P@1 / PSP@1.", table1(summarise(cells))]
    parts += [_figure("runs", name) for name in figures.NAMES]
    parts += ["## Capacity: how many bound pairs a vector holds (§3.1, appendix D)", capacity]
    parts += [_figure("capacity", f"figure{number}") for number in (1, 5, 6, 7)]
    return "\n\n".join(parts) + "\n"


def _figure(group: str, name: str) -> str:
    return f"![{name}](../{paths.figure(group, name)})"


def table(cells: list[Cell]) -> str:
    """Every model's metrics, size and speed on one dataset."""
    rows = [["model", *COLUMNS, "output parameters", "best epoch", "s / epoch"]]
    for cell in cells:
        best = cell.curve.loc[cell.curve["validation_p1"].idxmax(), "epoch"]
        seconds = cell.curve["seconds"].median()
        row = [cell.model, *(f"{cell.metrics[column]:.2f}" for column in COLUMNS)]
        rows.append([*row, f"{cell.parameters['output']:,}", f"{best}", f"{seconds:.1f}"])
    return markdown_table(rows)


def table1(summary: Summary) -> str:
    """FC and HRR-FC as published and as measured, for every dataset that has either."""
    published = YAML(typ="safe").load(PUBLISHED)["table1"]
    rows = [["dataset", "FC, paper", "HRR-FC, paper", "FC, ours", "HRR-FC, ours"]]
    for dataset in [*summary, *(name for name in published if name not in summary)]:
        row = [dataset]
        for model in ("fc", "hrr-fc"):
            p1, psp1 = published.get(dataset, {}).get(model, (None, None))
            row.append("–" if p1 is None else f"{p1} / {psp1}")
        for model in ("fc", "hrr-fc"):
            metrics = summary.get(dataset, {}).get(model)
            means = [metrics[name]["mean"] for name in ("P@1", "PSP@1")] if metrics else []
            row.append(" / ".join(f"{mean:.2f}" for mean in means) or "–")
        rows.append(row)
    return markdown_table(rows)
