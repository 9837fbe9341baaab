"""What a layout reads from a dataset's folder: documents and their labels, not yet split."""

from dataclasses import dataclass

import torch

from hrrxml.data.bags import Bags


@dataclass(frozen=True)
class Documents:
    """Each document as a text or as a bag of features, and its labels."""

    labels: Bags  # sorted ids, each once
    texts: list[str] | None = None
    features: Bags | None = None

    def __len__(self) -> int:
        return len(self.labels)

    def select(self, rows: list[int]) -> "Documents":
        index = torch.tensor(rows, dtype=torch.int64)
        return Documents(
            labels=self.labels.select(index),
            texts=None if self.texts is None else [self.texts[row] for row in rows],
            features=None if self.features is None else self.features.select(index),
        )


@dataclass(frozen=True)
class Corpus:
    train: Documents
    test: Documents | None  # None: the publisher gives no split, so one is made
    n_labels: int
    n_features: int | None = None  # None: texts, whose vocabulary is yet to be learned
    label_names: list[str] | None = None
