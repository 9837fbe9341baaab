"""Read a scipy sparse matrix of points by labels from an .npz file that may be damaged."""

from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix, load_npz

from hrrxml.data.bags import Bags
from hrrxml.runtime.errors import UserError


def read(path: Path) -> tuple[Bags, int]:
    """The labels of each point, and the number of labels."""
    matrix = _load(path)
    if not np.isfinite(matrix.data).all():
        first = np.flatnonzero(~np.isfinite(matrix.data))[0]
        row = np.searchsorted(matrix.indptr, first, side="right")  # counted from 1, like lines
        raise UserError(f"{path}: row {row} has a label whose value is not a finite number")
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    labels = Bags.from_csr(matrix)
    return Bags(labels.ids, labels.offsets), matrix.shape[1]


def _load(path: Path) -> csr_matrix:
    try:
        with path.open("rb") as file:
            matrix = csr_matrix(load_npz(file))  # never unpickles: scipy forbids it
        matrix.check_format(full_check=True)
        matrix.data = matrix.data.astype(np.float32)
    # A damaged file makes zipfile, zlib, numpy and scipy raise a dozen kinds of errors.
    except Exception as error:
        raise UserError(
            f"{path}: not a sparse matrix saved by scipy ({error}); if it was downloaded, "
            f"delete its folder and rerun"
        ) from error
    return matrix
