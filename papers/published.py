"""Figures that the paper printed, by table."""

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

PUBLISHED: Any = YAML(typ="safe").load(Path(__file__).with_name("published.yaml"))
