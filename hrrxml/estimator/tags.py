"""The names of a classifier's labels. A label's id is its place among them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_matrix

from hrrxml.data.bags import Bags
from hrrxml.estimator import checks
from hrrxml.estimator.given_labels import Form, GivenLabels, check_names
from hrrxml.runtime.errors import InputError

SEARCHED = 100_000  # names to compare with a misspelt one within a second


@dataclass(frozen=True)
class Tags:
    names: np.ndarray
    form: Form  # in which `predict` answers

    def __post_init__(self) -> None:
        ids = {name: i for i, name in enumerate(self.names.tolist())}
        if len(ids) < len(self.names):
            raise InputError("a label's name occurs twice among the classes; names must differ")
        object.__setattr__(self, "_ids", ids)

    @property
    def ids(self) -> dict[Any, int]:
        ids: dict[Any, int] = self._ids  # type: ignore[attr-defined]
        return ids

    def __len__(self) -> int:
        return len(self.names)

    @staticmethod
    def learn(labels: GivenLabels, classes: Iterable[Any] | None = None) -> "Tags":
        """The labels that occur, or `classes`, in ascending order.

        The labels of a matrix are its columns, and `classes` are their names.
        """
        given = None if classes is None else checks.labels("classes", classes)
        if isinstance(labels.content, csr_matrix):
            width = labels.content.shape[1]
            names = list(range(width)) if given is None else check_names(given)
            if len(names) != width:
                raise InputError(f"{len(names)} classes, but y has {width} columns")
        else:
            distinct = labels.distinct() if given is None else set(check_names(given))
            names = sorted(check_names(distinct))
        if not names:
            raise InputError("no point has a label; give at least one label")
        return Tags(as_array(names), labels.form)

    def encode(self, labels: GivenLabels) -> Bags:
        """The ids of each point's labels, ascending and each once; an unknown one is an error."""
        if isinstance(labels.content, csr_matrix):
            if labels.content.shape[1] != len(self):
                raise InputError(f"y has {labels.content.shape[1]} columns for {len(self)} labels")
            bags = Bags.from_csr(labels.content)
            return Bags(bags.ids, bags.offsets)
        try:
            return Bags.from_lists([sorted({self.id(name) for name in r}) for r in labels.content])
        except InputError as error:
            raise InputError(f"y: {error}; add_labels adds a label") from error

    def id(self, name: Any) -> int:
        """The id of a label; an unknown one is an error that names similar labels."""
        try:
            return self.ids[name]
        except (KeyError, TypeError) as error:  # a list has no hash, and is no name
            raise InputError(f"there is no label {name!r}{self._similar(name)}") from error

    def _similar(self, name: Any) -> str:
        from difflib import get_close_matches

        if len(self) > SEARCHED:
            return ""
        near = get_close_matches(str(name), [str(known) for known in self.names], n=3)
        return f" (similar: {', '.join(near)})" if near else ""

    def mask(self, names: Iterable[Any]) -> torch.Tensor:
        """True for each label in `names`: (labels,)."""
        ids = [self.id(name) for name in checks.labels("among", names)]
        if not ids:
            raise InputError("among: give at least one label")
        allowed = torch.zeros(len(self), dtype=torch.bool)
        allowed[ids] = True
        return allowed

    def extended(self, names: Sequence[Any]) -> "Tags":
        """These labels and new ones, which get the next ids."""
        both = check_names([*self.names.tolist(), *names])
        for name in both[len(self) :]:
            if name in self.ids:
                raise InputError(f"label {name!r} exists already")
        return Tags(as_array(both), self.form)

    def with_unknown(self, labels: GivenLabels) -> "Tags":
        """These labels, and all others that occur in `labels`."""
        if isinstance(labels.content, csr_matrix):
            return self
        unknown = labels.distinct() - self.ids.keys()
        return self.extended(sorted(check_names(unknown))) if unknown else self

    def decode(self, rows: Sequence[np.ndarray]) -> Any:
        """The labels of each point in the form in which the training labels were given."""
        if self.form == "lists":
            return [self.names[ids].tolist() for ids in rows]
        if self.form == "single":
            return self.names[np.array([ids[0] for ids in rows], dtype=np.int64)]
        ends = np.cumsum([0, *(len(ids) for ids in rows)])
        ids = np.concatenate([np.empty(0, np.int64), *rows])
        parts = (np.ones(len(ids), np.int64), ids, ends)
        matrix = csr_matrix(parts, shape=(len(rows), len(self)))
        matrix.sort_indices()
        return matrix if self.form == "sparse" else matrix.toarray()


def as_array(names: Sequence[Any]) -> np.ndarray:
    """Numbers as numbers; strings as Python's own, which take less memory than numpy's."""
    if all(isinstance(name, int | float) for name in names):
        return np.asarray(names)
    array = np.empty(len(names), dtype=object)
    array[:] = names
    return array
