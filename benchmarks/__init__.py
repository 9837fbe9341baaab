"""Measurements of speed and memory; every figure is a ratio of two things timed in one run."""
