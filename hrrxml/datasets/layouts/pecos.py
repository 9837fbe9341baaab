"""Read the archives of PECOS: raw texts, label matrices and label names."""

from pathlib import Path

from hrrxml.datasets.corpus import Corpus, Documents
from hrrxml.datasets.layouts import label_matrix
from hrrxml.datasets.layouts.find import find
from hrrxml.datasets.layouts.lines import lines
from hrrxml.runtime.errors import UserError


def read(folder: Path) -> Corpus:
    names = lines(find(folder, "output-items.txt"))
    train, test = (_read_part(folder, part, len(names)) for part in ("trn", "tst"))
    return Corpus(train=train, test=test, n_labels=len(names), label_names=names)


def _read_part(folder: Path, part: str, n_labels: int) -> Documents:
    texts_file, labels_file = find(folder, f"x.{part}.txt"), find(folder, f"y.{part}.npz")
    labels, width = label_matrix.read(labels_file)
    if width != n_labels:
        raise UserError(f"{labels_file}: {width} labels, but output-items.txt names {n_labels}")
    texts = lines(texts_file)
    if len(texts) != len(labels):
        raise UserError(
            f"{texts_file}: {len(texts)} texts, but {labels_file.name} has {len(labels)} rows"
        )
    return Documents(labels, texts=texts)
