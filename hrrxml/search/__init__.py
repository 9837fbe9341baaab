"""Exact search among label vectors, stored (`flat`) or rolled from a few bases (`circulant`)."""

from hrrxml.search.exact import circulant as circulant
from hrrxml.search.exact import flat as flat
