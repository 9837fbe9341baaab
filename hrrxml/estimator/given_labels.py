"""Labels as users give them: tags or one label per point, or an indicator matrix."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.sparse import csr_matrix, issparse

from hrrxml.estimator import checks
from hrrxml.runtime.errors import InputError

# How labels are given, and how `predict` answers: a list of tags per point, one label per point,
# or an indicator matrix of points by labels, sparse or dense.
Form = Literal["lists", "single", "sparse", "dense"]


@dataclass(frozen=True)
class GivenLabels:
    form: Form
    content: list[list[Any]] | csr_matrix  # the names of each point's labels, or a matrix

    def __len__(self) -> int:
        return len(self.content) if isinstance(self.content, list) else self.content.shape[0]

    def distinct(self) -> set[Any]:
        """All names that occur."""
        assert isinstance(self.content, list)
        try:
            return {name for row in self.content for name in row}
        except TypeError as error:
            raise InputError(f"y: a label is no string or number ({error})") from error

    def check(self) -> None:
        """An error if a name could not be a label's."""
        if isinstance(self.content, list):
            check_names(self.distinct())


def read(y: Any) -> GivenLabels:
    """Find out the form of y, and bring it into one of two."""
    y = plain(y)
    form = form_of(y)
    if form in ("sparse", "dense"):
        return GivenLabels(form, _matrix(y))
    values = y.tolist() if isinstance(y, np.ndarray) else list(y)
    if form == "single":
        is_column = isinstance(y, np.ndarray) and y.ndim == 2
        return GivenLabels(form, values if is_column else [[value] for value in values])
    return GivenLabels(form, [_row(row, place) for place, row in enumerate(values)])


def plain(y: Any) -> Any:
    """Labels as a list, a numpy array or a scipy matrix, to be read more than once."""
    y = checks.listed("y", y)
    if issparse(y) and y.ndim == 2:
        return y
    if isinstance(y, list | tuple):
        y = [list(row) if isinstance(row, Iterator) else row for row in y]
    y = np.asarray(y) if hasattr(y, "__array__") and not isinstance(y, np.ndarray) else y
    if issparse(y) or not isinstance(y, Iterable) or getattr(y, "ndim", 1) not in (1, 2):
        raise InputError("y must have a list of tags or a label per point, or be a matrix of 0/1")
    return y


def form_of(y: Any) -> Form:
    """The form of labels that went through `plain`."""
    if issparse(y):
        return "sparse"
    if isinstance(y, np.ndarray) and y.ndim == 2:
        if y.shape[1] == 1:
            return "single"
        return "dense" if y.dtype.kind in "biuf" else "lists"
    first = next((row for row in y if row is not None), None)
    if not isinstance(first, Iterable) or isinstance(first, str | bytes):
        return "single"
    return "dense" if _is_table(y) else "lists"


def _is_table(rows: Iterable[Any]) -> bool:
    """Whether these are rows of a matrix of 0/1: all of one length, two or more.

    Read as tags, such rows would be nonsense: all points would have the same labels, or the same
    label twice.
    """
    length = None
    for row in rows:
        if not isinstance(row, Sequence | np.ndarray) or isinstance(row, str | bytes):
            return False
        length = len(row) if length is None else length
        if len(row) != length or length < 2:
            return False
        if not all(isinstance(v, int | float | np.number | np.bool_) and v in (0, 1) for v in row):
            return False
    return True


def _matrix(y: Any) -> csr_matrix:
    """An indicator matrix with ones alone; the user's own stays as it is."""
    matrix = csr_matrix(y if issparse(y) else np.asarray(list(y)), copy=True)
    if matrix.data.dtype.kind not in "biuf":
        raise InputError(f"y has {matrix.data.dtype} values; an indicator matrix has 0 and 1")
    wrong = matrix.data[(matrix.data != 0) & (matrix.data != 1)]  # NaN differs from both
    if len(wrong):
        raise InputError(f"y has the value {wrong[0]}; an indicator matrix has 0 and 1")
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    return matrix


def _row(row: Any, place: int) -> list[Any]:
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise InputError(f"y[{place}] is {row!r}; give a list of tags, and an empty one for none")
    return row.tolist() if isinstance(row, np.ndarray) else list(row)


def check_names(names: Iterable[Any]) -> list[Any]:
    """Names as strings or numbers of Python's own; anything else could not be saved."""
    values = [name.item() if isinstance(name, np.generic) else name for name in names]
    for value in values:
        if isinstance(value, float) and not value.is_integer():
            raise InputError(
                f"Unknown label type: {value} is no whole number; labels are strings or whole "
                "numbers"
            )
        if type(value) not in (str, int, float, bool):  # an Enum's str would come back as another
            kind = type(value).__name__
            raise InputError(f"label {value!r} is a {kind}; labels are strings or whole numbers")
    if len({isinstance(value, str) for value in values}) > 1:
        raise InputError("some labels are strings and some are numbers; use strings for all")
    return values
