"""Labels of many, few and no training points, each group apart, beside published figures."""

from collections.abc import Mapping, Sequence
from typing import Any

from hrrxml.config import params
from hrrxml.report.markdown import markdown_table
from hrrxml.report.results import Cell, by_dataset, with_deviation
from papers.claim import Claim
from papers.evidence import Evidence
from papers.published import PUBLISHED
from papers.section import Section, paragraphs

METRICS = ("R@5", "RP@5", "nDCG@5", "F1")
PRINTED = PUBLISHED["frequency"]  # dataset → model → metric → a figure, of all labels
REMARK = (
    "Percent, mean ± standard deviation over seeds. R@5, RP@5 and nDCG@5 of a group rank its "
    "labels alone, over the test points that have one of them. F1 is micro-averaged: a label is "
    "predicted from the score on that has the best F1 on the validation points."
)
GROUPS = (
    "Frequent labels have more than {few} training points, few ones 1 to {few}, zero ones none."
)
SOURCES = (
    "Of the figures of Chalkidis et al. (2019) we could confirm only those of BERT for all labels: "
    "their other models and their groups of labels could not be had. They train on the training "
    "set alone, ours on a part of their development set, too, so that the groups differ a little. "
    "LibMultiLabel's figures are that project's own runs on this dataset. All of these read the "
    "words in order, ours their tf-idf weights."
)

CLAIMS: tuple[Claim, ...] = ()


def sections(evidence: Evidence) -> list[Section]:
    rated = [cell for cell in evidence.all_cells if cell.name in evidence.by_frequency]
    if not rated:
        return []
    parts = [REMARK]
    for dataset, cells in by_dataset(rated).items():
        groups = GROUPS.format(few=params.load().datasets[dataset].few)
        sources = SOURCES if dataset in PRINTED else ""
        parts += [f"#### {dataset}", f"{groups} {sources}", _table(evidence, dataset, cells)]
    title = "labels of many, few and no training points"
    return [Section("ours", "rare labels", title, paragraphs(parts))]


def _table(evidence: Evidence, dataset: str, cells: Sequence[Cell]) -> str:
    """For each group our models; below those of all labels, the published ones."""
    rows = [["labels", "model", *METRICS, "seeds"]]
    for group in evidence.by_frequency[cells[0].name]:
        for cell in cells:
            found = evidence.by_frequency[cell.name][group]
            rows.append([_size(group, found), cell.model, *_ours(found), f"{cell.seeds}"])
        if group == "all":
            for model, figures in PRINTED.get(dataset, {}).items():
                shown = [f"{figures[m]}" if m in figures else "–" for m in METRICS]
                rows.append([group, model, *shown, "–"])
    return markdown_table(rows, text=2)


def _size(group: str, found: Mapping[str, Any]) -> str:
    """`few: 1,200 labels of 3,000 points`."""
    return f"{group}: {found['labels'][0]:,} labels of {found['points'][0]:,} points"


def _ours(found: Mapping[str, Any]) -> list[str]:
    """A group that no test point has a label of has no metrics."""
    return [with_deviation(found[metric]) if metric in found else "–" for metric in METRICS]
