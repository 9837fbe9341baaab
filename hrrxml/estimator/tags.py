"""A user's labels: names, and the ids of each point's labels."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from scipy.sparse import csr_matrix, issparse

from hrrxml.data.bags import Bags
from hrrxml.runtime.errors import InputError

# How labels are given, and how `predict` answers: a list of tags per point, one label per point,
# or an indicator matrix of points by labels, sparse or dense.
Form = Literal["lists", "single", "sparse", "dense"]


def plain(y: Any) -> Any:
    """Labels as a list, a numpy array or a scipy matrix: what holds an array becomes one."""
    return np.asarray(y) if hasattr(y, "__array__") and not isinstance(y, np.ndarray) else y


def form_of(y: Any) -> Form:
    y = plain(y)
    if issparse(y):
        return "sparse"
    if isinstance(y, np.ndarray) and y.dtype != object and y.ndim == 2:
        return "single" if y.shape[1] == 1 else "dense"
    first = next((row for row in y if row is not None), None)
    is_row = isinstance(first, Iterable) and not isinstance(first, str | bytes)
    return "lists" if is_row else "single"


@dataclass(frozen=True)
class Tags:
    """The names of all labels. A label's id is its place."""

    names: np.ndarray
    form: Form

    def __post_init__(self) -> None:
        ids = {name: i for i, name in enumerate(self.names.tolist())}
        if len(ids) < len(self.names):
            raise InputError("a label's name occurs twice among the classes; names must differ")
        object.__setattr__(self, "_ids", ids)

    def __len__(self) -> int:
        return len(self.names)

    @staticmethod
    def learn(y: Any, classes: Sequence[Any] | None = None) -> "Tags":
        """All labels of y, or `classes`, in ascending order; a matrix's labels are its columns."""
        y, form = plain(y), form_of(y)
        if classes is not None:
            names = np.unique(np.asarray(list(classes)))
        elif form in ("sparse", "dense"):
            names = np.arange(y.shape[1])
        elif form == "single":
            names = np.unique(np.asarray(y).ravel())
        else:
            names = _names({name for row in y for name in row})
        if len(names) == 0:
            raise InputError("no point has a label; give at least one label")
        return Tags(names, form)

    def encode(self, y: Any, skip_unknown: bool = False) -> Bags:
        """The ids of each point's labels, ascending and each once.

        An unknown label is an error, or is left out.
        """
        y, form = plain(y), form_of(y)
        if form in ("sparse", "dense"):
            matrix = csr_matrix(y)
            if matrix.shape[1] != len(self):
                raise InputError(f"y has {matrix.shape[1]} columns for {len(self)} labels")
            if not np.isfinite(matrix.data.astype(float)).all():
                raise InputError("y has a value that is not a finite number; use 0 and 1")
            matrix.sum_duplicates()
            matrix.eliminate_zeros()
            bags = Bags.from_csr(matrix)
            return Bags(bags.ids, bags.offsets)
        rows = [[name] for name in np.asarray(y).ravel().tolist()] if form == "single" else y
        known: dict[Any, int] = self._ids  # type: ignore[attr-defined]
        if skip_unknown:
            rows = [[name for name in row if name in known] for row in rows]
        return Bags.from_lists([sorted({self.id(name) for name in row}) for row in rows])

    def id(self, name: Any) -> int:
        """The id of a label; an unknown one is an error that names similar labels."""
        ids: dict[Any, int] = self._ids  # type: ignore[attr-defined]
        if name not in ids:
            raise InputError(f"there is no label {name!r}{self._similar(name)}")
        return ids[name]

    def _similar(self, name: Any) -> str:
        from difflib import get_close_matches

        if len(self) > 100_000:
            return ""  # too many to compare within a second
        near = get_close_matches(str(name), [str(known) for known in self.names], n=3)
        return f"; similar labels: {', '.join(near)}" if near else ""

    def mask(self, names: Iterable[Any]) -> torch.Tensor:
        """True for each label in `names`: (labels,)."""
        allowed = torch.zeros(len(self), dtype=torch.bool)
        for name in names:
            allowed[self.id(name)] = True
        if not allowed.any():
            raise InputError("among: give at least one label")
        return allowed

    def extended(self, names: Sequence[Any]) -> "Tags":
        """These labels and new ones, which get the next ids."""
        known: dict[Any, int] = self._ids  # type: ignore[attr-defined]
        for name in names:
            if name in known:
                raise InputError(f"label {name!r} exists already")
        added = np.asarray(list(names), dtype=object if self.names.dtype == object else None)
        return Tags(np.concatenate([self.names, added]), self.form)

    def decode(self, rows: Sequence[np.ndarray]) -> Any:
        """The labels of each point in the form in which the training labels were given."""
        if self.form == "lists":
            return [self.names[ids].tolist() for ids in rows]
        if self.form == "single":
            return self.names[np.array([ids[0] for ids in rows], dtype=np.int64)]
        lengths = [len(ids) for ids in rows]
        ids = np.concatenate([*rows, np.empty(0, np.int64)]).astype(np.int64)
        parts = (np.ones(len(ids), np.int64), ids, np.concatenate([[0], np.cumsum(lengths)]))
        matrix = csr_matrix(parts, shape=(len(rows), len(self)))
        matrix.sort_indices()
        return matrix if self.form == "sparse" else matrix.toarray()


def _names(names: set[Any]) -> np.ndarray:
    """Ascending, with their own types: numpy would turn [1, "a"] into two strings."""
    try:
        ordered = sorted(names)
    except TypeError as error:
        raise InputError("labels have different types; use strings, or whole numbers") from error
    array = np.empty(len(ordered), dtype=object)
    array[:] = ordered
    return array
