"""Reproducible random numbers and sums."""

import os

import torch


def make_deterministic(seed: int) -> None:
    """Make torch return the same numbers for the same seed, machine and number of threads.

    Sums get a fixed order, where torch has one: always on the CPU; on a GPU torch warns of the
    operations that have none.
    """
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # fixes the order of its sums
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(True, warn_only=True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
