"""Exact search among label vectors: stored ones (`flat`), or rolls of bases (`circulant`)."""

from hrrxml.search.exact import circulant as circulant
from hrrxml.search.exact import flat as flat
