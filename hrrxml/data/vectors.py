"""Word vectors from a text file: `word 0.1 0.2 …` per line, as GloVe and word2vec write them."""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from hrrxml.errors import UserError
from hrrxml.files import read_tensors
from hrrxml.progress import bytes_bar


def read(path: Path, ids: Mapping[str, int], rows: int) -> Tensor:
    """A table (rows, dim) with the vectors of the words in `ids`; zeros for all others."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise UserError(f"text.vectors: {path} cannot be read ({error.strerror})") from error
    with file, bytes_bar(f"read {path.name}", path.stat().st_size) as progress:
        header = file.readline()
        dim = _dimension(header, path)
        table = np.zeros((rows, dim), np.float32)
        has_header = len(header.split()) == 2
        if not has_header:
            file.seek(0)  # GloVe: that was the first word
        words = 0
        for words, line in enumerate(file, start=1):
            progress.update(len(line))
            where = f"{path}:{words + has_header}"
            word, values = _split(line, dim, where)
            row = ids.get(word)
            if row is not None and not table[row].any():
                table[row] = _parse(values, where)
    if has_header and words != int(header.split()[0]):
        raise UserError(f"{path}:1: the header says {int(header.split()[0])} words, not {words}")
    if not table.any():
        raise UserError(f"{path}: has not one of the dataset's {len(ids)} words")
    return torch.from_numpy(table)


def load(path: Path) -> Tensor | None:
    """What `prepare` kept of them: a table for the vocabulary, or None without a file."""
    table = read_tensors(path)["vectors"]
    return table if len(table) else None


def _dimension(header: bytes, path: Path) -> int:
    """word2vec's header says it; GloVe's first word shows it."""
    fields = header.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields) and int(fields[1]):
        return int(fields[1])
    if len(fields) < 3:
        raise UserError(f"{path}:1: not a file of word vectors: {header[:60]!r}")
    return len(fields) - 1


def _split(line: bytes, dim: int, where: str) -> tuple[str, list[bytes]]:
    """The word, which may hold spaces, and its values."""
    fields = line.rstrip().rsplit(b" ", dim)
    if len(fields) != dim + 1:
        raise UserError(f"{where}: {len(fields) - 1} values instead of {dim}: {line[:60]!r}")
    if re.search(rb" [-+.0-9e]+$", fields[0]):
        raise UserError(f"{where}: more than {dim} values: {line[:60]!r}")
    return fields[0].decode("utf-8", errors="replace"), fields[1:]


def _parse(values: list[bytes], where: str) -> np.ndarray:
    try:
        vector = np.array([float(value) for value in values], np.float32)
    except ValueError as error:
        raise UserError(f"{where}: {error}") from error
    if not np.isfinite(vector).all():
        raise UserError(f"{where}: a value that is not a finite number")
    return vector
