"""d' ≪ L outputs, trained on every label through a circulant codebook."""

from hrrxml.layers.exact_head import ExactHead, ExactSettings


class Settings(ExactSettings):
    """What every exact head has, and nothing else."""


class Head(ExactHead):
    """The exact head with independent random bases."""
