"""Extreme multi-label classification with holographic reduced representations.

HolographicClassifier   tags texts or sparse features, with scikit-learn's conventions
load                    reads a classifier that was saved
HolographicHead, HRRHead, GLaSHead   output layers for any PyTorch network

vsa         algebras that bind symbols: `vsa.hrr.bind`, `vsa.hrr.project`, …
codebook    one unit vector per label, stored or rolled from a few bases
search      the exact k best labels for a query
encoders    a batch of points to one vector per point
heads       everything that the output layer is: its loss and its ranking
Model       an encoder with a head
Points      features, words and labels of some points; Bags holds each of them
"""

from typing import TYPE_CHECKING, Any

from hrrxml.runtime import door as _door  # noqa: F401  # first: it says which package is missing

# isort: split
from hrrxml import codebook, encoders, heads, search, vsa
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.nn import GLaSHead, HolographicHead, HRRHead
from hrrxml.runtime.errors import UserError

if TYPE_CHECKING:
    from hrrxml.estimator.classifier import HolographicClassifier
    from hrrxml.estimator.storage import load

__version__ = "0.2.0"

__all__ = [
    "Bags",
    "GLaSHead",
    "HRRHead",
    "HolographicClassifier",
    "HolographicHead",
    "Model",
    "Points",
    "UserError",
    "codebook",
    "encoders",
    "heads",
    "load",
    "search",
    "vsa",
]


def __getattr__(name: str) -> Any:
    """The estimator is imported at its first use, because it needs scikit-learn."""
    if name == "HolographicClassifier":
        from hrrxml.estimator.classifier import HolographicClassifier

        return HolographicClassifier
    if name == "load":
        from hrrxml.estimator.storage import load

        return load
    raise AttributeError(f"module 'hrrxml' has no attribute {name!r}")
