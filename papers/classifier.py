"""HolographicClassifier: its accuracy untouched, its files, and labels that it meets later."""

from collections.abc import Mapping
from statistics import mean
from typing import Any

from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import with_deviation
from papers.claim import Claim
from papers.evidence import Evidence
from papers.section import Section, paragraphs

CLAIMS: tuple[Claim, ...] = ()
COLUMNS = ("P@1", "P@5", "PSP@1")
# Of all three sections: they go with the next run of suite `classifier`.
EARLIER = "*Measured with the classifier's earlier recipe.* "
ACCURACY = EARLIER + (
    "No parameter is given: the classifier chooses for itself, and holds out a tenth of its points "
    "to do so. *Tuned* is the run `holographic-fc`, whose settings were chosen for each dataset. "
    "P@1 / P@5 / PSP@1, means over seeds. How it chooses was itself chosen on validation points of "
    "these datasets. The tools learn from the train split alone, which has as many points as the "
    "classifier trains on. Core-seconds are of one thread."
)
CALIBRATION = (
    "The expected calibration error in percent, of the best label and of the best five: of the "
    "sigmoid of the logits, and of the probabilities that `predict` gives."
)
FILES = EARLIER + (
    "Models of the same features on disk, each loaded and asked in a process of its own, on one "
    "thread. *One* is the median time of one point, and *1,000* the time of 1,000 points at once. "
    "Memory is the growth above that of the imports. Ours is saved in several ways; `float16` is "
    "the default. All tools have the train and validation points; ours holds out a tenth of them."
)
NEW_LABELS = EARLIER + (
    "A tenth of the labels is hidden from training, drawn from those with 20 points or more. "
    "`add_labels` adds them, and one pass of `partial_fit` over a few examples of each teaches "
    "them. Recall is the share of hidden labels of test points that are among the best five; P@1 "
    "is over all labels."
)


def sections(evidence: Evidence) -> list[Section]:
    parts = [
        *accuracy(evidence.benchmarks.get("classifier", {}), evidence),
        *files(evidence.benchmarks.get("saved")),
        *new_labels(evidence.benchmarks.get("new_labels")),
    ]
    title = "with no parameter given, saved, and with new labels"
    return [Section("ours", "classifier", title, paragraphs(parts))] if parts else []


def accuracy(measured: Mapping[str, Any], evidence: Evidence) -> list[str]:
    if not measured:
        return []
    rows = [["dataset", "classifier", "tuned", "best other tool by P@1", "core-seconds"]]
    errors = [["dataset", "ECE@1", "calibrated", "ECE@5", "calibrated"]]
    for dataset, result in measured.items():
        metrics = result["metrics"]
        seconds = mean(run["seconds"] for run in result["chosen"])
        row = [_means(metrics), _tuned(dataset, evidence), _tool(dataset, evidence)]
        rows.append([dataset, *row, f"{seconds:.0f}"])
        names = (f"ECE@{k}{when}" for k in (1, 5) for when in (" before calibration", ""))
        errors.append([dataset, *(with_deviation(metrics[name]) for name in names)])
    return [ACCURACY, markdown_table(rows), CALIBRATION, markdown_table(errors)]


def _means(metrics: Mapping[str, list[float]]) -> str:
    return " / ".join(f"{mean(metrics[name]):.1f}" for name in COLUMNS)


def _tuned(dataset: str, evidence: Evidence) -> str:
    cell = evidence.cells.get(f"{dataset}-holographic-fc")
    return "–" if cell is None else _means(cell.metrics)


def _tool(dataset: str, evidence: Evidence) -> str:
    if dataset not in evidence.peers:
        return "–"
    name, _ = evidence.best_tool(dataset, "P@1")
    return f"{_means(evidence.peers[dataset][name]['metrics'])} ({name})"


def files(measured: Mapping[str, Any] | None) -> list[str]:
    if measured is None:
        return []
    head = ["model", "P@1", "MB", "load, s", "one, ms", "1,000, ms", "memory, MB"]
    rows = [
        [
            name,
            f"{model['P@1']:.2f}",
            f"{model['bytes'] / 1e6:.1f}",
            f"{model['load_seconds']:.2f}",
            f"{model['one_ms']:.2f}",
            f"{model['many_ms']:.0f}",
            str(model["memory_mb"]),
        ]
        for name, model in measured["models"].items()
    ]
    return [FILES, markdown_table([head, *rows])]


def new_labels(measured: Mapping[str, Any] | None) -> list[str]:
    if measured is None:
        return []
    shown = {
        "before": "without the hidden labels",
        **{f"{n} examples": f"{n} of each" for n in (1, 5, 20)},
        "whole": "all labels from the start",
    }
    rows = [
        [text, *(f"{measured[key][m]:.1f}" for m in ("P@1", "recall"))]
        for key, text in shown.items()
    ]
    sizes = f"{measured['hidden']:,} of {measured['labels']:,} labels are hidden."
    return [f"{NEW_LABELS} {sizes}", markdown_table([["examples", "P@1", "recall"], *rows])]
