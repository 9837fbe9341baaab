"""Read the Extreme Classification Repository's archives: bags of features and label ids."""

from collections.abc import Sequence
from pathlib import Path

from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts import sparse_text
from hrrxml.datasets.layouts.find import files, find
from hrrxml.datasets.layouts.lines import lines
from hrrxml.runtime.errors import UserError


def read(folder: Path, *, split_column: int | None) -> Corpus:
    """Read a train and a test file, or one data file and two split files of line numbers.

    `split_column` chooses the column of the split files.
    """
    if any(path.name.lower().endswith("_data.txt") for path in files(folder)):
        if split_column is None:
            raise UserError(f"{folder}: one data file; set layout.split_column to split it")
        return _read_one_file(folder, split_column)
    train, test = (sparse_text.read(find(folder, f"*{part}.txt")) for part in ("train", "test"))
    return Corpus(
        train=Documents(train.labels, features=train.features),
        test=Documents(test.labels, features=test.features),
        # Headers may differ (Wiki10-31K's test set has one feature fewer): take the larger size.
        n_labels=max(train.n_labels, test.n_labels),
        n_features=max(train.n_features, test.n_features),
    )


def _read_one_file(folder: Path, column: int) -> Corpus:
    table = sparse_text.read(find(folder, "*_data.txt"))
    everything = Documents(table.labels, features=table.features)
    train = read_column(find(folder, "*_trsplit.txt"), column, len(everything))
    test = read_column(find(folder, "*_tstsplit.txt"), column, len(everything), taken=train)
    return Corpus(
        train=everything.select(train),
        test=everything.select(test),
        n_labels=table.n_labels,
        n_features=table.n_features,
    )


def read_column(path: Path, column: int, points: int, taken: Sequence[int] = ()) -> list[int]:
    """The points in one column of a split file, counted from 0. The file counts from 1.

    A point in `taken` is refused.
    """
    rows: dict[int, int] = {}  # point → line, in the file's order
    refused = set(taken)
    for number, line in enumerate(lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        if column >= len(fields):
            raise UserError(
                f"{path}:{number}: no column {column} of {len(fields)}; change layout.split_column"
            )
        text = fields[column]
        row = int(text) - 1 if text.isascii() and text.isdigit() and len(text) < 10 else -1
        if not 0 <= row < points:
            raise UserError(f"{path}:{number}: {text[:60]!r} is not a point from 1 to {points}")
        if row in rows:
            raise UserError(f"{path}:{number}: point {text} is also on line {rows[row]}")
        if row in refused:
            raise UserError(f"{path}:{number}: point {text} is in the train split too")
        rows[row] = number
    return list(rows)
