"""The Extreme Classification Repository's text format.

    3 135909 670091             points, features, labels
    17,208 4:0.5 90:1.25        labels with commas, a space, then feature:value
     12:0.1                     a point without labels starts with a space

Array operations parse blocks of lines (sparse_block.py). Only an invalid block is checked line by
line, to report the line and its error.

scikit-learn's `load_svmlight_file` reads the same files more slowly (`python -m benchmarks
parse`), makes a Python tuple of every point's labels, and has no line numbers in its errors.
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

BLOCK = 2**19  # bytes read at once; small enough for the processor cache
LONGEST_LINE = 2**26  # bytes; refuses a file without line ends before it fills the memory


@dataclass(frozen=True)
class Table:
    """The content of one file. The sizes come from its header."""

    features: Bags
    labels: Bags
    n_features: int
    n_labels: int


def read(path: Path) -> Table:
    """Read the whole file, or raise a UserError that names the line."""
    with path.open("rb") as file:
        n_points, n_features, n_labels = _read_header(file.readline(1000), path)
        blocks = [
            _read_block(lines, first, n_features, n_labels, path)
            for first, lines in _blocks(file, path)
        ]
    n_read = sum(len(block.feature_counts) for block in blocks)
    if n_read != n_points:
        raise UserError(
            f"{path}:1: the header says {n_points} points, the file has {n_read}; "
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
    """Blocks of whole lines, about BLOCK bytes each, with the number of the first line.

    Blank lines are put before the next line, because they are ignored at the end of the file.
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
    """Parse whole lines, where `first` is the number of the first line."""
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
    """What is wrong with a line; None if it is valid."""
    if not line:
        return "a blank line (a point without labels starts with a space)"
    labels, *fields = line.split(b" ")
    for label in labels.split(b",") if labels else []:
        if not ID.fullmatch(label):
            return f"{_quote(label)} is not a label"
        if int(label) >= n_labels:
            return f"label {int(label)} is outside 0…{n_labels - 1}, the range in the header"
    seen = set()
    for field in filter(None, fields):
        feature, _, value = field.partition(b":")
        if not ID.fullmatch(feature) or not NUMBER.fullmatch(value):
            return f"{_quote(field)} is not a feature:value"
        if int(feature) >= n_features:
            return f"feature {int(feature)} is outside 0…{n_features - 1}, the range in the header"
        if not torch.tensor(float(value)).isfinite():  # as float32, the stored type
            return f"{_quote(field)} has no finite value"
        if int(feature) in seen:
            return f"feature {int(feature)} appears twice"
        seen.add(int(feature))
    return None


def _quote(text: bytes) -> str:
    """The text in quotes, cut to 60 characters."""
    shown = text.decode("utf-8", errors="replace")
    return repr(shown if len(shown) <= 60 else f"{shown[:57]}…")
