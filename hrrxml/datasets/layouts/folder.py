"""Your own data: a folder of texts and labels.

    texts.txt                 one document per line
    labels.txt                the labels of each line, separated by commas, any names
    labels.npz                or, instead, a scipy sparse matrix of documents by labels

The files are either directly in the folder, and `split` in params.yaml splits them, or in its
subfolders `train` and `test`.
"""

from pathlib import Path

from hrrxml.data.bags import Bags
from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts import label_matrix
from hrrxml.datasets.layouts.lines import lines
from hrrxml.runtime.errors import UserError


def read(folder: Path) -> Corpus:
    given_split = (folder / "train").is_dir()
    parts = [folder / "train", folder / "test"] if given_split else [folder]
    texts = [_need(part / "texts.txt") for part in parts]
    if (parts[0] / "labels.npz").exists():
        labels, n_labels = _read_matrices([part / "labels.npz" for part in parts])
        names = None
    else:
        labels, names = _read_names([_need(part / "labels.txt") for part in parts])
        n_labels = len(names)
    documents = [_pair(file, bags) for file, bags in zip(texts, labels, strict=True)]
    test = documents[1] if given_split else None
    return Corpus(train=documents[0], test=test, n_labels=n_labels, label_names=names)


def _need(path: Path) -> Path:
    if not path.exists():
        raise UserError(f"{path}: missing; a folder has texts.txt, and labels.txt or labels.npz")
    return path


def _pair(texts_file: Path, labels: Bags) -> Documents:
    texts = lines(texts_file)
    if len(texts) != len(labels):
        raise UserError(
            f"{texts_file}: {len(texts)} texts, but {len(labels)} lines of labels; "
            f"both files need the same number of lines"
        )
    return Documents(labels, texts=texts)


def _read_names(paths: list[Path]) -> tuple[list[Bags], list[str]]:
    """Labels by name. Ids follow the alphabetical order of names over all files."""
    named = [
        [_split_line(line, number, path) for number, line in enumerate(lines(path), start=1)]
        for path in paths
    ]
    names = sorted({name for part in named for row in part for name in row})
    if not names:
        raise UserError(f"{paths[0]}: the file has no labels")
    ids = {name: i for i, name in enumerate(names)}
    bags = [Bags.from_lists([sorted(ids[name] for name in row) for row in part]) for part in named]
    return bags, names


def _split_line(line: str, number: int, path: Path) -> set[str]:
    """Convert `sky, bird, sky` to {bird, sky}. A blank line has no labels."""
    if not line.strip():
        return set()
    names = {name.strip() for name in line.split(",")}
    if "" in names:
        raise UserError(f"{path}:{number}: a comma without a label: {line[:60]!r}")
    return names


def _read_matrices(paths: list[Path]) -> tuple[list[Bags], int]:
    parts = [label_matrix.read(_need(path)) for path in paths]
    return [labels for labels, _ in parts], max(width for _, width in parts)
