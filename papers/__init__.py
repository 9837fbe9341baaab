"""The evidence: records of what was measured, and the papers' statements judged by them."""

import hrrxml  # noqa: F401  # before a module's own imports: it says which package is missing
