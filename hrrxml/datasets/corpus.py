"""The output of a layout: documents and their labels, before they are split."""

from dataclasses import dataclass, field

import torch

from hrrxml.data.bags import Bags


@dataclass(frozen=True)
class Documents:
    """Documents, each a text or a bag of features, with their labels."""

    labels: Bags  # unique sorted ids
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
    test: Documents | None  # None: the publisher gives no split, so we make one
    n_labels: int
    n_features: int | None = None  # None: the documents are texts without a vocabulary yet
    label_names: list[str] | None = None  # need not be unique
    label_keys: list[str] | None = None  # unique, where the names are not
    skipped: dict[str, int] = field(default_factory=dict)  # what is no document: reason → number
