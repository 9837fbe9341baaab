"""What a layout reads from an archive: documents as text, labels as ids."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Corpus:
    texts: list[str]
    labels: list[list[int]]  # sorted ids into label_names, at least one per text
    label_names: list[str]
