"""Extreme multi-label classification with holographic reduced representations.

vsa         algebras that bind symbols: `vsa.hrr.bind`, `vsa.hrr.project`, …
codebook    one unit vector per label, stored or rolled from a few bases
search      the exact k best labels for a query
encoders    a batch of points to one vector per point
heads       everything that the output layer is: its loss and its ranking
Model       an encoder with a head
Points      features, words and labels of some points; Bags holds each of them
"""

from hrrxml import codebook, encoders, heads, search, vsa
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.model import Model
from hrrxml.runtime.errors import UserError

__all__ = [
    "Bags",
    "Model",
    "Points",
    "UserError",
    "codebook",
    "encoders",
    "heads",
    "search",
    "vsa",
]
