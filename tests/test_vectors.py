"""Word vectors are read from GloVe's and word2vec's text files, or refused by line."""

from pathlib import Path

import pytest
import torch

from hrrxml.data import vectors
from hrrxml.data.statistics import describe_vectors
from hrrxml.errors import UserError
from hrrxml.files import write_tensors

IDS = {"cat": 2, "dog": 3, "new york": 4, "zebra": 5}
GLOVE = "dog 1 2.5 -3\nnew york 4 5 6e-1\nthe 7 8 9\ncat 0.1 0.2 0.3\ncat 9 9 9\n"


@pytest.mark.parametrize("header", ["", "5 3\n"])
def test_both_formats(tmp_path: Path, header: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(header + GLOVE)
    table = vectors.read(path, IDS, rows=6)
    expected = torch.zeros(6, 3)
    expected[2], expected[3] = torch.tensor([0.1, 0.2, 0.3]), torch.tensor([1, 2.5, -3])
    expected[4] = torch.tensor([4, 5, 0.6])
    torch.testing.assert_close(table, expected)
    assert describe_vectors(table) == {"dim": 3, "coverage": 0.75}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dog 1 2 3\ncat 1 2\n", r":2: 2 values instead of 3: b'cat 1 2"),
        ("dog 1 2 3\ncat 1 two 3\n", r":2: could not convert string to float: b'two'"),
        ("5 3\ndog 1 2 3\ncat 1 nan 3\n", r":3: a value that is not a finite number"),
        ("4 3\ndog 1 2 3\n", r":1: the header says 4 words, not 1"),
        ("1 2\ndog 1 2 3\n", r":2: more than 2 values"),
        ("5 0\ndog 1 2 3\n", r":1: not a file of word vectors"),
        ("cow 1 2 3\n", r": has not one of the dataset's 4 words"),
        ("dog\n", r":1: not a file of word vectors"),
        ("", r":1: not a file of word vectors"),
    ],
)
def test_malformed_files_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text(text)
    with pytest.raises(UserError, match=f"vectors.txt{message}"):
        vectors.read(path, IDS, rows=6)


def test_a_missing_file_names_the_key(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"text\.vectors: .* cannot be read"):
        vectors.read(tmp_path / "none", IDS, rows=6)


def test_without_a_file(tmp_path: Path) -> None:
    write_tensors(tmp_path / "v", {"vectors": torch.empty(0, 0)})
    assert vectors.load(tmp_path / "v") is None
    assert describe_vectors(torch.empty(0, 0)) is None
    write_tensors(tmp_path / "v", {"vectors": torch.ones(3, 2)})
    loaded = vectors.load(tmp_path / "v")
    assert loaded is not None
    assert loaded.shape == (3, 2)
