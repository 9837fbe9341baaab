"""The Extreme Classification Repository's text format.

    3 135909 670091             points, features, labels
    17,208 4:0.5 90:1.25        labels by comma, a space, then feature:value
     12:0.1                     a point without labels starts with a space

Blocks of lines are read by array operations (sparse_block.py). Only a block that breaks the
grammar is gone through line by line, to name the line and what is wrong with it.

scikit-learn's `load_svmlight_file` reads the same files more slowly (`python -m hrrxml.bench
parse`), makes a Python tuple of every point's labels, and has no line numbers for its errors.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from hrrxml.data.bags import Bags
from hrrxml.datasets.layouts import sparse_block
from hrrxml.datasets.layouts.sparse_block import ID, NUMBER, Block
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.progress import bytes_bar

BLOCK = 2**19  # bytes read at once: its arrays stay in the cache of the processor
LONGEST_LINE = 2**26  # bytes; a file without line ends is refused before it fills the memory


@dataclass(frozen=True)
class Table:
    """One file: features and labels of every point, and the sizes its header gives."""

    features: Bags
    labels: Bags
    n_features: int
    n_labels: int


def read(path: Path) -> Table:
    """The whole file, or a UserError that names the line."""
    with path.open("rb") as file:
        n_points, n_features, n_labels = _read_header(file.readline(1000), path)
        blocks = [
            _read_block(lines, first, n_features, n_labels, path)
            for first, lines in _blocks(file, path)
        ]
    found = sum(len(block.feature_counts) for block in blocks)
    if found != n_points:
        raise UserError(
            f"{path}:1: the header says {n_points} points, the file has {found}; "
            f"if it was downloaded and cut short, delete its folder and rerun"
        )
    features = Bags(
        _join([block.features for block in blocks], np.int32),
        _offsets([block.feature_counts for block in blocks]),
        _join([block.values for block in blocks], np.float32),
    )
    labels = Bags(
        _join([block.labels for block in blocks], np.int32),
        _offsets([block.label_counts for block in blocks]),
    )
    return Table(features, labels, n_features, n_labels)


def _join(arrays: list[Any], dtype: type) -> Tensor:
    return torch.from_numpy(np.concatenate([np.empty(0, dtype), *arrays]))


def _offsets(counts: list[NDArray[np.int64]]) -> Tensor:
    return torch.from_numpy(np.concatenate([np.zeros(1, np.int64), *counts]).cumsum())


def _read_header(line: bytes, path: Path) -> tuple[int, int, int]:
    fields = line.split()
    if len(fields) != 3 or not all(ID.fullmatch(field) for field in fields):
        raise UserError(
            f"{path}:1: expected a header of three numbers (points, features, labels), "
            f"not {_quote(line)}"
        )
    points, features, labels = map(int, fields)
    return points, features, labels


def _blocks(file: BinaryIO, path: Path) -> Iterator[tuple[int, bytes]]:
    """Whole lines, about BLOCK bytes at a time, with the number of the first.

    Blank lines wait for the line after them: at the end of the file they mean nothing.
    """
    number, rest = 2, b""
    with bytes_bar(f"read {path.name}", path.stat().st_size) as progress:
        while data := file.read(BLOCK):
            progress.update(len(data))
            data = rest + data
            text = data[: data.rfind(b"\n") + 1].rstrip(b"\r\n")
            end = data.find(b"\n", len(text)) + 1 if text else 0
            lines, rest = data[:end], data[end:]
            if len(rest) > LONGEST_LINE:
                raise UserError(f"{path}:{number}: a line of over {LONGEST_LINE} bytes")
            if lines:
                yield number, lines
                number += lines.count(b"\n")
    if rest.strip(b"\r\n"):
        yield number, rest + b"\n"


def _read_block(lines: bytes, first: int, n_features: int, n_labels: int, path: Path) -> Block:
    """The points of some whole lines, of which the first is number `first`."""
    lines = lines.replace(b"\r\n", b"\n").replace(b"\t", b" ")
    block = sparse_block.parse(lines)
    if block is not None and _fits(block.features, n_features) and _fits(block.labels, n_labels):
        return block
    for number, line in enumerate(lines.split(b"\n")[:-1], start=first):
        if fault := _fault(line, n_features, n_labels):
            raise UserError(f"{path}:{number}: {fault}: {_quote(line)}")
    raise AssertionError(f"{path}:{first}: refused without a reason")


def _fits(ids: NDArray[np.int32], size: int) -> bool:
    return len(ids) == 0 or int(ids.max()) < size


def _fault(line: bytes, n_features: int, n_labels: int) -> str | None:
    """What is wrong with one line, in words; None for a good one."""
    if not line:
        return "a blank line (a point without labels starts with a space)"
    labels, *fields = line.split(b" ")
    for label in labels.split(b",") if labels else []:
        if not ID.fullmatch(label):
            return f"{_quote(label)} is not a label"
        if int(label) >= n_labels:
            return f"label {int(label)} is outside 0…{n_labels - 1}, as the header has it"
    seen = set()
    for field in filter(None, fields):
        feature, _, value = field.partition(b":")
        if not ID.fullmatch(feature) or not NUMBER.fullmatch(value):
            return f"{_quote(field)} is not a feature:value"
        if int(feature) >= n_features:
            return f"feature {int(feature)} is outside 0…{n_features - 1}, as the header has it"
        if not torch.tensor(float(value)).isfinite():  # as the float32 it is kept as
            return f"{_quote(field)} has no finite value"
        if int(feature) in seen:
            return f"feature {int(feature)} is there twice"
        seen.add(int(feature))
    return None


def _quote(text: bytes) -> str:
    """The text as it can be shown, cut to a readable length."""
    shown = text.decode("utf-8", errors="replace")
    return repr(shown if len(shown) <= 60 else f"{shown[:57]}…")
