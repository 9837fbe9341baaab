"""What the numbers of prepared points stand for: the vocabulary and the names of the labels.

`prepare` writes them to one JSON file per dataset. With it, a trained model reads new texts and
answers with names.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from hrrxml.data.words import Words
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import write_json

FORMAT = 1  # version of the file: increase it when older files would be misread
FIELDS = ("idf", "label_keys", "label_names", "n_labels", "vocabulary")


@dataclass(frozen=True)
class Names:
    n_labels: int
    words: Words | None = None  # None: the dataset has features, and no texts
    label_names: list[str] | None = None  # need not be unique
    label_keys: list[str] | None = None  # unique, where the names are not

    def unique_labels(self) -> list[str]:
        """A name for each label that no other label has.

        It is the name itself where that is unique, and `name (key)` where it is not. A label
        without a key has its number for a key, and one without a name has its number for a name.
        """
        numbers = [str(i) for i in range(self.n_labels)]
        if self.label_names is None:
            return numbers
        keys = self.label_keys or numbers
        full = [f"{name} ({key})" for name, key in zip(self.label_names, keys, strict=True)]
        uses = Counter(self.label_names)
        pairs = zip(self.label_names, full, strict=True)
        names = [name if uses[name] == 1 else longer for name, longer in pairs]
        return names if len(set(names)) == len(names) else full


def save(names: Names, destination: Path) -> None:
    words = names.words
    values: dict[str, Any] = {
        "format": FORMAT,
        "idf": None if words is None else words.idf.tolist(),  # exact: a double holds a float32
        "label_keys": names.label_keys,
        "label_names": names.label_names,
        "n_labels": names.n_labels,
        "vocabulary": None if words is None else words.vocabulary,
    }
    write_json(destination, values)


def load(source: Path) -> Names:
    """Read a file that `save` wrote, and refuse one that is incomplete or inconsistent."""
    values = _read(source)
    problem = _problem(values)
    if problem:
        raise UserError(f"{source}: {problem}; delete it and run `dvc repro prepare`")
    vocabulary = values["vocabulary"]
    idf = torch.tensor(values["idf"] or [], dtype=torch.float32)
    return Names(
        n_labels=values["n_labels"],
        words=None if vocabulary is None else Words(vocabulary, idf),
        label_names=values["label_names"],
        label_keys=values["label_keys"],
    )


def _read(source: Path) -> Any:
    try:
        return json.loads(source.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UserError(f"{source}: missing; `dvc repro prepare` makes it") from error
    except OSError as error:
        raise UserError(f"{source}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        cure = "delete it and run `dvc repro prepare`"
        raise UserError(f"{source}: damaged ({error}); {cure}") from error


def _problem(values: Any) -> str | None:
    """What is wrong with the contents of a file, if anything."""
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        return "written by another version of hrrxml"
    missing = [name for name in FIELDS if name not in values]
    if missing:
        return f"has no {missing[0]}"
    if not isinstance(values["n_labels"], int) or values["n_labels"] < 1:
        return "n_labels is not a number of labels"
    for name in ("label_names", "label_keys"):
        if values[name] is not None and not _is_texts(values[name], values["n_labels"]):
            return f"{name} is not a list of {values['n_labels']} names"
    vocabulary, idf = values["vocabulary"], values["idf"]
    if vocabulary is None:
        return None if idf is None else "idf without a vocabulary"
    different = len(set(map(str, vocabulary))) if isinstance(vocabulary, list) else 0
    if not _is_texts(vocabulary, different):
        return "vocabulary is not a list of different words"
    if not _is_numbers(idf, len(vocabulary)):
        return f"idf is not a list of {len(vocabulary)} positive numbers"
    return None


def _is_texts(values: Any, length: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(value, str) for value in values)
    )


def _is_numbers(values: Any, length: int) -> bool:
    return (
        isinstance(values, list)
        and len(values) == length
        and all(isinstance(value, float) and 0 < value < math.inf for value in values)
    )
