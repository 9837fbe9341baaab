"""Reads the data of `train`, `evaluate` and `predict`, in any of four formats.

text<TAB>tag, tag          one text a line, in a file or from standard input
{"text": …, "tags": […]}   JSON Lines, in a file or from standard input
a folder                   texts.txt and labels.txt, or those in train/ and test/
3 135909 670091            the Extreme Classification Repository's sparse text: features, numbers

A folder is a folder, `.jsonl` is JSON Lines, and the first line shows the format of other files.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import csr_matrix

from hrrxml.command import lines, records
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts import folder, sparse_text
from hrrxml.runtime.errors import UserError

JSON = (".jsonl", ".ndjson", ".json")
AT_ONCE = 4096  # texts in a block of answers
HEADER = re.compile(rb"\s*\d+ +\d+ +\d+\s*")  # points, features, labels


@dataclass(frozen=True)
class Data:
    """Texts or features with their tags or label numbers."""

    source: str  # its name in messages
    inputs: list[str] | csr_matrix
    labels: list[list[str]] | csr_matrix

    def __len__(self) -> int:
        return self.labels.shape[0] if isinstance(self.labels, csr_matrix) else len(self.labels)

    def counts(self) -> dict[Any, int]:
        """How often each label occurs."""
        if isinstance(self.labels, csr_matrix):
            return Counter(self.labels.indices.tolist())
        return Counter(chain.from_iterable(self.labels))

    def keep_tags_with(self, least: int) -> "Data":
        """Drop the labels of fewer than `least` texts. The texts stay."""
        kept = {label for label, count in self.counts().items() if count >= least}
        if isinstance(self.labels, csr_matrix):
            labels = self.labels.copy()
            labels.data *= np.isin(labels.indices, sorted(kept))
            labels.eliminate_zeros()
            return replace(self, labels=labels)
        return replace(self, labels=[[tag for tag in row if tag in kept] for row in self.labels])


def read(name: str) -> tuple[Data, Data | None]:
    """The data to train on, and the data to test on if the folder has it."""
    path = Path(name)
    if name != "-" and path.is_dir():
        corpus = folder.read(path)
        test = None if corpus.test is None else _of_folder(path / "test", corpus.test, corpus)
        part = path if test is None else path / "train"
        return _of_folder(part, corpus.train, corpus), test
    if is_sparse(name):
        return _read_sparse(path), None
    return _read_lines(name), None


def is_sparse(name: str) -> bool:
    """Whether this is a file in the repository's sparse text."""
    if name == "-" or name.lower().endswith((*JSON, ".tsv")):
        return False
    if Path(name).exists() and not Path(name).is_file():
        return False  # a pipe: what is read here would be lost
    with Path(name).open("rb") as file:
        return HEADER.fullmatch(file.readline(1000)) is not None


def texts(name: str) -> Iterator[list[str]]:
    """The texts of a file or of standard input, in small blocks; tags are ignored."""
    with lines.open_input(name) as file:
        yield from texts_of(file, lines.shown(name), name.lower().endswith(JSON))


def texts_of(file: BinaryIO, where: str, as_json: bool = False) -> Iterator[list[str]]:
    """The same of an open file; `where` is its name in messages."""
    for rows, is_json in _blocks_of(file, where, as_json):
        for start in range(0, len(rows), AT_ONCE):
            part = rows[start : start + AT_ONCE]
            yield [records.parse_text(line, f"{where}:{number}", is_json) for number, line in part]


def read_features(name: str) -> csr_matrix:
    table = sparse_text.read(Path(name))
    return table.features.to_csr(table.n_features)


def _read_lines(name: str) -> Data:
    where, inputs, labels = lines.shown(name), [], []
    for rows, as_json in _blocks(name):
        for number, line in rows:
            if line.strip():
                text, tags = records.parse(line, f"{where}:{number}", as_json)
                inputs.append(text)
                labels.append(tags)
    return Data(where, inputs, labels)


def _blocks(name: str) -> Iterator[tuple[list[lines.Line], bool]]:
    """Blocks of lines, and whether they are JSON."""
    with lines.open_input(name) as file:
        yield from _blocks_of(file, lines.shown(name), name.lower().endswith(JSON))


def _blocks_of(
    file: BinaryIO, where: str, as_json: bool
) -> Iterator[tuple[list[lines.Line], bool]]:
    for rows in lines.blocks(file, where):
        if rows[0][0] == 1:
            as_json = as_json or records.is_json(rows[0][1])
        yield rows, as_json


def _read_sparse(path: Path) -> Data:
    table = sparse_text.read(path)
    return Data(
        str(path), table.features.to_csr(table.n_features), table.labels.to_csr(table.n_labels)
    )


def _of_folder(path: Path, part: Documents, corpus: Corpus) -> Data:
    assert part.texts is not None  # a folder has texts
    matrix = part.labels.to_csr(corpus.n_labels)
    if corpus.label_names is None:
        return Data(str(path), part.texts, matrix)
    names = np.array(corpus.label_names, dtype=object)
    labels = [list(names[matrix.indices[a:b]]) for a, b in pairwise(matrix.indptr)]
    return Data(str(path), part.texts, labels)


def check(data: Data) -> Data:
    """The same data; an error if there is nothing to learn from."""
    if not len(data):
        raise UserError(f"{data.source}: no texts; give at least two with different tags")
    found = len(data.counts())
    if found < 2:
        what = "no tags" if not found else "only one tag"
        raise UserError(f"{data.source}: {what}; there is nothing to tell apart: give two or more")
    return data
