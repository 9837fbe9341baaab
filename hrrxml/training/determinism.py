"""The same numbers for the same seed."""

import os

import torch


def make_deterministic(seed: int) -> None:
    """The same numbers for the same seed, on the same machine and number of threads.

    Sums whose order would depend on timing get a fixed one, where torch has it (on the
    CPU it always does; on a GPU it warns of the exceptions).
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # or its sums have no fixed order
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
