"""Accuracy beside other tools (suite `heads`), and the text encoders (suite `text`)."""

from collections.abc import Callable, Iterable, Mapping
from statistics import mean

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, by_dataset, with_deviation
from papers.alike import difference
from papers.claim import Claim
from papers.evidence import Evidence
from papers.finding import listed
from papers.section import Section, paragraphs
from papers.significance import Difference, unpaired
from papers.table import table

SUITE = "heads"
COLUMNS = ("P@1", "P@3", "P@5", "PSP@1", "PSP@3", "PSP@5")
JUDGED = ("P@1", "P@5", "PSP@1")
HEADLINE = ("fc", "fc-shortcut", "hrr-fc", "holographic-fc")
# Circulant against stored random vectors; d' outputs against one for each label.
PAIRS = (("hrr-fc", "random-hrr-fc"), ("holographic-fc", "fc-shortcut"))
TEXT_TOOLS = ("plt",)
NAMES = {"plt": "PLT", "parabel": "Parabel", "bonsai": "Bonsai", "br": "BR"}  # in words
ACCURACY = (
    "Settings were chosen on the validation split alone, one for each dataset and model. Other "
    "tools have their packages' defaults and learn from the same training split. *Three* models "
    "are ranked by the mean of their scores, over all choices of three of the seeds, as Parabel's "
    "three trees are."
)
DIFFERENCES = (
    "Differences of the means; a star marks one that a test shows: over seeds and test points, or "
    "(°) over seeds alone where the points are not recorded, and unpaired against a tool. Choices "
    "of three share seeds: no test applies to them."
)
TEXT = (
    "The encoders read nothing but the words in order: no head here has a shortcut from the tf-idf "
    "features. Word vectors start from the training texts' co-occurrence. Table 1 has the network "
    "of the HRR authors' code (its pooling, a stride of 2, 32 filters, two more layers). PLT "
    "learns from tf-idf features of the same texts."
)
Values = Mapping[str, list[float]]  # metric → one value for each seed

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    return [*_accuracy(evidence), *_text(evidence)]


def headline(evidence: Evidence) -> str:
    """P@1 / P@5 / PSP@1 of the main models, of three of each, and of the best tool by P@1."""
    rows = [["dataset", "models", *HEADLINE, "best other tool by P@1"]]
    for dataset, group in by_dataset(evidence.of_suite(SUITE)).items():
        models = {cell.model: cell for cell in group}
        tool = "–"
        if dataset in evidence.peers:
            best, _ = evidence.best_tool(dataset, "P@1")
            tool = f"{_means(tools_of(evidence, dataset)[best])} ({best})"
        one = {name: cell.metrics for name, cell in models.items()}
        three = {cell.model: values for cell, values in ensembles(models.values(), HEADLINE)}
        for how, values in (("one", one), ("three", three)):
            shown = [_means(values[name]) if name in values else "–" for name in HEADLINE]
            if values:
                rows.append([dataset, how, *shown, tool])
    return markdown_table(rows, text=2)


def named(evidence: Evidence, datasets: Iterable[str]) -> str:
    """The other tools that were trained on any of these datasets, such as `PLT and Parabel`."""
    known = {name for dataset in datasets for name in evidence.peers[dataset]}
    in_order = [*(name for name in NAMES if name in known), *sorted(known - set(NAMES))]
    return listed([NAMES.get(name, name) for name in in_order])


def differences(
    cells: Iterable[Cell],
    pairs: Iterable[tuple[str, str]],
    gap: Callable[[Cell, Cell, str], str | Difference] = difference,
) -> list[list[str | Difference]]:
    """Rows of paired differences, for each dataset that has both models of a pair."""
    models = {(cell.dataset, cell.model): cell for cell in cells}
    return [
        [
            dataset,
            ours,
            theirs,
            *(gap(mine, models[dataset, theirs], metric) for metric in JUDGED),
        ]
        for ours, theirs in pairs
        for (dataset, model), mine in models.items()
        if model == ours and (dataset, theirs) in models
    ]


def difference_table(rows: list[list[str | Difference]]) -> str:
    return table([["dataset", "model", "less", *JUDGED], *rows], text=3) if rows else ""


def _accuracy(evidence: Evidence) -> list[Section]:
    cells = evidence.of_suite(SUITE)
    if not cells:
        return []
    parts = [ACCURACY]
    for dataset, group in by_dataset(cells).items():
        parts += [f"#### {dataset}", accuracy_table(group, tools_of(evidence, dataset))]
    ours = [cell for cell in cells if cell.model.startswith("holographic")]
    rows = [*differences(cells, PAIRS), *against_tools(evidence, ours)]
    if rows:
        parts += ["#### Differences", DIFFERENCES, difference_table(rows)]
    title = "tuned models, other codebooks and other tools"
    return [Section("ours", "accuracy", title, paragraphs(parts))]


def _text(evidence: Evidence) -> list[Section]:
    cells = evidence.of_suite("text")
    if not cells:
        return []
    parts = [TEXT]
    for dataset, group in by_dataset(cells).items():
        tools = tools_of(evidence, dataset)
        known = {name: tools[name] for name in TEXT_TOOLS if name in tools}
        parts += [f"#### {dataset}", accuracy_table(group, known)]
    title = "XML-CNN and the attention LSTM"
    return [Section("ours", "text encoders", title, paragraphs(parts))]


def against_tools(evidence: Evidence, cells: Iterable[Cell]) -> list[list[str | Difference]]:
    """Models, alone and by threes, against the best tool by each metric. One seed is not tested."""
    rows: list[list[str | Difference]] = []
    for cell in cells:
        if cell.dataset in evidence.peers:
            best = {m: evidence.best_tool(cell.dataset, m) for m in JUDGED}
            gaps = [_to_tool(cell, m, best[m][1]) for m in JUDGED]
            rival = f"best tool ({listed([best[m][0] for m in JUDGED])})"
            rows.append([cell.dataset, cell.model, rival, *gaps])
            if three := cell.ensemble:
                means = {m: mean(three[m]) - mean(best[m][1]) for m in JUDGED}
                shown = [f"{means[m]:+.2f}" for m in JUDGED]
                rows.append([cell.dataset, f"three {cell.model}", rival, *shown])
    return rows


def _to_tool(cell: Cell, metric: str, tool: list[float]) -> str | Difference:
    gap = unpaired(cell.metrics[metric], tool)
    return gap if cell.seeds > 1 else f"{gap.gap:+.2f}"


def accuracy_table(cells: list[Cell], tools: Mapping[str, Values]) -> str:
    """Models, three of each together, and other tools."""
    rows = [["model", *COLUMNS, "seeds", "output parameters"]]
    for cell in cells:
        size = f"{cell.parameters['output']:,}"
        rows.append([cell.model, *_row(cell.metrics), f"{cell.seeds}", size])
    for cell, values in ensembles(cells, HEADLINE):
        size = f"3 × {cell.parameters['output']:,}"
        rows.append([f"three {cell.model}", *_row(values), "choices of 3", size])
    for name, metrics in tools.items():
        rows.append([name, *_row(metrics), f"{len(metrics['P@1'])}", "–"])
    return markdown_table(rows)


def ensembles(cells: Iterable[Cell], heads: Iterable[str]) -> list[tuple[Cell, Values]]:
    """Three of each model; nothing unless all of these heads that are here have three."""
    listed = list(cells)
    if any(cell.model in heads and not cell.ensemble for cell in listed):
        return []
    return [(cell, cell.ensemble) for cell in listed if cell.ensemble]


def tools_of(evidence: Evidence, dataset: str) -> dict[str, Values]:
    return {name: tool["metrics"] for name, tool in evidence.peers.get(dataset, {}).items()}


def _row(values: Values) -> list[str]:
    return [with_deviation(values[column]) for column in COLUMNS]


def _means(values: Values) -> str:
    return " / ".join(f"{mean(values[metric]):.1f}" for metric in JUDGED)
