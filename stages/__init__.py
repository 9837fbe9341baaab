"""The pipeline's stages, one module each: read params, call the library, write files."""

import hrrxml  # noqa: F401  # before a stage's own imports: it says which package is missing
