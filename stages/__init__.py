"""The pipeline's stages, one module each: read params, call the library, write files."""
