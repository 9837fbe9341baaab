"""Table 6: the datasets, and what follows from its figures."""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from hrrxml.config import params
from hrrxml.config.schema import Dataset
from hrrxml.datasets.sources import MIRROR
from papers.claim import Check
from papers.evidence import Evidence
from papers.hrr import arithmetic, figure, section
from papers.published import PUBLISHED
from papers.section import Section

PRINTED = PUBLISHED["table6"]
COLUMNS = ("features", "labels", "labels_per_point", "points_per_label")
FETCH = ("could it be had?", "command")
REMARK = (
    "Counted over all points, as the paper does for its small datasets. From Wiki10-31K on, it "
    "counts the training points alone: the column of train points does that for ours. The last "
    "columns say whether a dataset was counted here, whether it could be had, and what fetches it. "
    "Bibtex and Delicious came from a mirror, with Mulan's single split; without the mirror, their "
    "commands fetch the Extreme Classification Repository's from Google Drive. `docs/datasets.md` "
    "says who publishes what came from a mirror, and the terms of what neither paper uses."
)
UNREADY = {"amazoncat-12k": "published only as pickles, which must be converted first"}


def sections(evidence: Evidence) -> list[Section]:
    """The recorded datasets as counted, then all others; the paper's figures are in brackets."""
    if not evidence.datasets:
        return []
    heads = [f"{column.replace('_', ' ')} (paper)" for column in COLUMNS]
    rows = [["dataset", "points, train + test", *heads, "train points per label", *FETCH]]
    registered = params.load().datasets
    for name in dict.fromkeys([*evidence.datasets, *PRINTED, *registered]):
        row = _row(name, evidence.datasets.get(name, {}), PRINTED.get(name))
        rows.append([*row, *_fetched(name, registered.get(name), name in evidence.datasets)])
    return section("Table 6", "the datasets", REMARK, rows)


def _row(name: str, counted: Mapping[str, Any], printed: Mapping[str, Any] | None) -> list[str]:
    """A dataset with its counts; a dash stands for what was not counted here."""
    shown = [
        f"{counted.get(c, '–')} ({printed[c]})" if printed else f"{counted.get(c, '–')}"
        for c in COLUMNS
    ]
    points = " + ".join(map(str, counted.get("points", ["–"])))
    return [name, points, *shown, f"{counted.get('train_points_per_label', '–')}"]


def mirrored() -> list[str]:
    """The datasets that came from a mirror: `checksums` are those of a mirror's archives."""
    return [name for name, entry in params.load().datasets.items() if entry.checksums]


def _fetched(name: str, entry: Dataset | None, counted: bool) -> list[str]:
    """Whether it could be had, and the command."""
    if entry is None:
        return ["counted here" if counted else "–", "–"]
    command = f"python -m stages.download {name}"
    if entry.checksums or not entry.sources:
        command = f"{MIRROR}=… {command}"
    way = UNREADY.get(name) or _way(entry)
    return [f"counted here, {way}" if counted else way, f"`{command}`"]


def _way(entry: Dataset) -> str:
    """From where it can be had; Google Drive and the web were not reached from here."""
    if entry.checksums or not entry.sources:
        return "from a mirror"
    first = entry.sources[0]
    if first.pypi:
        return "by pip"
    if first.path:
        return "from a folder"
    host = "Google Drive" if first.drive else urlsplit(first.url or "").hostname
    return f"not reached from here ({host})"


def _table6(evidence: Evidence) -> Iterator[Check]:
    for dataset, printed in PRINTED.items():
        counted = evidence.datasets.get(dataset)
        if counted:
            same = all(abs(counted[key] - printed[key]) <= 0.011 for key in printed)
            shown = ", ".join(f"{counted[key]:g} ({printed[key]:g})" for key in printed)
            yield Check(dataset, shown, same)


def _negatives(_: Evidence) -> Iterator[Check]:
    most = max(row["labels"] / row["labels_per_point"] - 1 for row in PRINTED.values())
    yield Check("from Table 6", f"{most:,.0f}×", abs(most / 124321 - 1) <= 0.02)


def _retrieved(_: Evidence) -> Iterator[Check]:
    most = max(row["labels_per_point"] for row in PRINTED.values())
    yield Check("from Table 6", f"{most:g}", most < 76)


def _samples(_: Evidence) -> Iterator[Check]:
    """Points come from params.yaml: the paper does not print them."""
    points = params.load().datasets["delicious-200k"].expect.points
    assert points
    printed = PRINTED["delicious-200k"]
    ours = points[0] * printed["labels_per_point"] / printed["labels"]
    near = abs(ours / printed["points_per_label"] - 1) <= 0.1
    yield Check("Delicious-200K's training set", f"{ours:.2f}", near)


CLAIMS = (
    arithmetic(
        place="§5.1",
        says="Negative labels are up to 124,321 times the positive ones",
        published="124,321×",
        rule="Labels over labels per point, less 1, is within 2% of it by the paper's Table 6",
        judge=_negatives,
    ),
    arithmetic(
        place="D.2",
        says="J_p has to retrieve fewer than 76 labels on average, in every dataset",
        published="< 76",
        rule="Labels per point are fewer than 76 by the paper's Table 6",
        judge=_retrieved,
    ),
    arithmetic(
        place="§5.1, Table 6",
        says="Samples per label go down to 2.29",
        published="2.29",
        rule="Training points times labels per point, over labels, is within a tenth of it",
        judge=_samples,
    ),
    figure(
        place="Table 6",
        says="Features, labels, points per label and labels per point of the datasets",
        published="Table 6: Bibtex, Delicious",
        rule="Each is within 0.01 of the printed figure, as counted in the files",
        judge=_table6,
    ),
)
