"""What the suite `glas` says: Tables 1 to 4, and co-occurrence in holographic codes."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from hrrxml.config import paths
from hrrxml.report.significance import paired
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, Followed, by_dataset, measured
from papers.comparison import JUDGED
from papers.published import PUBLISHED

BASE = "glas-fc"
# Table 1: what is varied, how, the figure it has in published.yaml, and the run that has it.
# Batches and d are the paper's base setting's or ours, and a half and a quarter of it.
TABLE1 = (
    ("regulariser", "none", ("regulariser", "none"), "glas-none-fc"),
    ("regulariser", "spread-out", ("regulariser", "spreadout"), "glas-spreadout-fc"),
    ("regulariser", "gravity", ("regulariser", "gravity"), "glas-gravity-fc"),
    ("regulariser", "GLaS", ("regulariser", "glas"), BASE),
    ("weight λ", "1", ("weight", "1"), "glas-weight-1-fc"),
    ("weight λ", "10", ("weight", "10"), BASE),
    ("weight λ", "100", ("weight", "100"), "glas-weight-100-fc"),
    ("features kept ρ", "1.0", ("keep", "1.0"), "glas-keep-100-fc"),
    ("features kept ρ", "0.8", ("keep", "0.8"), BASE),
    ("features kept ρ", "0.6", ("keep", "0.6"), "glas-keep-60-fc"),
    ("batch", "a quarter", ("batch", "1024"), "glas-batch-quarter-fc"),
    ("batch", "half", ("batch", "2048"), "glas-batch-half-fc"),
    ("batch", "base", ("batch", "4096"), BASE),
    ("d", "a quarter", ("dim", "256"), "glas-dim-quarter-fc"),
    ("d", "half", ("dim", "512"), "glas-dim-half-fc"),
    ("d", "base", ("dim", "1024"), BASE),
    ("embedding", "linear", ("embedding", "linear"), "glas-linear"),
    ("embedding", "ReLU", ("embedding", "relu"), BASE),
    ("adjacency", "geometric mean", None, "glas-geometric-fc"),
    ("adjacency", "PMI", None, "glas-pmi-fc"),
    ("adjacency", "Jaccard", None, "glas-jaccard-fc"),
    ("adjacency", "arithmetic mean", None, BASE),
    ("loss", "margin", None, "glas-margin-fc"),
    ("loss", "softmax", None, "glas-softmax-fc"),
    ("loss", "mining", None, "glas-mining-fc"),
)
RIVALS = ("glas-none-fc", "glas-spreadout-fc", "glas-gravity-fc", "glas-geometric-fc")
PLAIN, ALIKE = "holographic-narrow-fc", ("grouped-fc", "grouped-strong-fc")
TABLE1_REMARK = (
    "P@1 on the test split, mean ± deviation over seeds (one seed where there is no deviation); "
    "the paper's is of AmazonCat-13K, with batches of 4,096 and d = 1,024. GLaS's row is the base "
    "setting: a hinge on the ten worst of 1,000 sampled negatives (mining), on Delicious softmax. "
    "λ weighs the regulariser against these means, not against eq. 1's sum, and what input dropout "
    "leaves is raised by 1/ρ: both stand beside the paper's values without being the same. PMI is "
    "its positive, normalised form; the linear embedding learns at three times the rate. "
    "Differences are paired by seed."
)
TABLE2_REMARK = (
    "P@1 after the last epoch, no epoch chosen, of at most 20,000 points of either split, mean ± "
    "deviation over seeds; the "
    "paper's rows are of its datasets. `none` has neither regulariser nor input dropout (algorithm "
    "1), `glas` both (algorithm 2)."
)
GROUPED_REMARK = (
    "Few dimensions, so that each base has many labels. Head `grouped` puts labels that co-occur "
    "into the same slot of bases that agree, by a cosine of 0.3 or (strong) 0.6; `holographic` is "
    "the same without. `glas-fc` has 512 learned dimensions, no shortcut and no biases: another "
    "model, not a control. P@1, P@5 and PSP@1, mean ± deviation; differences are paired by seed."
)


TOOLS_REMARK = (
    "P@1 / P@3 / P@5 and their propensity-scored forms, of GLaS and, each figure for itself, of "
    "the best other method: the paper's ten or so on its datasets, here PLT, Parabel and (where it "
    "ended in time) BR. The paper's Tables 1 and 2 have 94.21 on AmazonCat-13K and 46.32 on "
    "Amazon-670K, its Table 3 has 92.21 and 46.38."
)
Peers = Mapping[str, Mapping[str, Any]]  # dataset → tool → its outcome


def markdown(cells: list[Cell], followed: list[Followed], peers: Peers) -> str:
    """Everything that has been run of it."""
    parts = ["## GLaS: the second paper"]
    if cells:
        parts += ["### Its Table 1: one change at a time", TABLE1_REMARK, table1(cells)]
        parts += ["\n".join(differences(cells, BASE, RIVALS))]
    if followed:
        parts += ["### Its Table 2 and Figure 1: the generalisation gap", TABLE2_REMARK]
        parts += [
            table2(followed),
            f"![Training and test P@1 by epoch](../{paths.figure('studies', 'overfitting')})",
        ]
    if rows := beside_tools(cells, peers):
        parts += ["### Its Tables 3 and 4: beside other methods", TOOLS_REMARK, rows]
    if any(cell.model in ALIKE for cell in cells):
        parts += ["### Co-occurrence in holographic codes", GROUPED_REMARK, codebooks(cells)]
    return "\n\n".join(part for part in parts if part) if len(parts) > 1 else ""


def table1(cells: list[Cell]) -> str:
    datasets = by_dataset([cell for cell in cells if cell.model in {row[3] for row in TABLE1}])
    rows = [["varied", "value", "paper", *datasets]]
    for varied, value, place, model in TABLE1:
        printed = PUBLISHED["glas"]["table1"][place[0]][place[1]] if place else "–"
        found = [_p1(group, model) for group in datasets.values()]
        rows.append([varied, value, str(printed), *found])
    return markdown_table(rows)


def _p1(group: list[Cell], model: str) -> str:
    found = {cell.model: measured(cell.metrics["P@1"]) for cell in group}
    return found.get(model, "–")


def differences(cells: list[Cell], ours: str, others: tuple[str, ...]) -> list[str]:
    """P@1, P@5 and PSP@1 of one model less others', dataset by dataset."""
    lines = []
    for dataset, group in by_dataset(cells).items():
        models = {cell.model: cell.metrics for cell in group}
        for other in others if ours in models else ():
            if other in models:
                gaps = [f"{m} {paired(models[ours][m], models[other][m])}" for m in JUDGED]
                lines.append(f"- {dataset}, {ours} less {other}: {', '.join(gaps)}.")
    return lines


def table2(followed: list[Followed]) -> str:
    rows = [["dataset", "regularisation", "train", "test", "gap"]]
    for dataset, printed in PUBLISHED["glas"]["table2"].items():
        for kind, figures in printed.items():
            rows.append([f"{dataset}, paper", kind, *(f"{figure:.2f}" for figure in figures)])
    for run in followed:
        figures = (run.last("train"), run.last("test"), run.gaps)
        kind = run.model.removeprefix("glas-")
        rows.append([run.dataset, kind, *(measured(values) for values in figures)])
    return markdown_table(rows)


def beside_tools(cells: list[Cell], peers: Peers) -> str:
    rows = [["dataset", "GLaS, P@k", "others, P@k", "GLaS, PSP@k", "others, PSP@k"]]
    for dataset, printed in PUBLISHED["glas"]["table3"].items():
        scored = PUBLISHED["glas"]["table4"].get(dataset)
        figures = [*printed.values(), *(scored.values() if scored else (None, None))]
        rows.append([f"{dataset}, paper", *map(_slashed, figures)])
    for cell in cells:
        if cell.model == BASE and cell.dataset in peers:
            row = [cell.dataset]
            for names in (("P@1", "P@3", "P@5"), ("PSP@1", "PSP@3", "PSP@5")):
                tools = [found["metrics"] for found in peers[cell.dataset].values()]
                best = [max(mean(tool[name]) for tool in tools) for name in names]
                row += [_slashed([cell.mean(name) for name in names]), _slashed(best)]
            rows.append(row)
    return markdown_table(rows) if any("paper" not in row[0] for row in rows[1:]) else ""


def _slashed(figures: list[float] | None) -> str:
    return " / ".join(f"{figure:.2f}" for figure in figures) if figures else "–"


def codebooks(cells: list[Cell]) -> str:
    models = (PLAIN, *ALIKE, BASE)
    rows = [["dataset", "model", *JUDGED, "seeds"]]
    for cell in cells:
        if cell.model in models:
            found = [measured(cell.metrics[metric]) for metric in JUDGED]
            rows.append([cell.dataset, cell.model, *found, str(len(cell.metrics["P@1"]))])
    lines = [line for ours in ALIKE for line in differences(cells, ours, (PLAIN, BASE))]
    return f"{markdown_table(rows)}\n\n" + "\n".join(lines)
