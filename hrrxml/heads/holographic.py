"""A head with d' ≪ L outputs that trains on every label through a circulant codebook."""

from hrrxml.layers.exact_head import ExactHead, ExactSettings


class Settings(ExactSettings):
    """The settings of the exact head, without additions."""


class Head(ExactHead):
    """The exact head with independent random bases."""
