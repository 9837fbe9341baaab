"""Download a source distribution from the package indexes in pip's settings.

It does not use `pip download`, which would run the package's code to learn its name.
"""

import html
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urljoin

import requests
from pip._internal.models.index import PyPI  # pip's default index has no public name

from hrrxml.datasets.sources import web
from hrrxml.datasets.sources.failure import SourceFailure

CHECK = "check the index in `pip config list`"


def download(requirement: str, sha256: str, archive: Path) -> None:
    """Download the project's file that has this checksum, from the first index that has it."""
    project = re.sub(r"[-_.]+", "-", requirement.partition("==")[0]).lower()
    answered = False
    for index in indexes():
        try:
            page = requests.get(f"{index.rstrip('/')}/{project}/", timeout=web.TIMEOUT)
        except requests.RequestException:
            continue
        answered = True
        link = re.search(rf"""href=["']([^"'#]+)#sha256={sha256}["']""", page.text)
        if link:
            web.download(urljoin(page.url, html.unescape(link[1])), archive)
            return
    if not answered:
        raise SourceFailure(f"no package index answers; connect to a network, or {CHECK}")
    raise SourceFailure(f"no package index has {requirement} with the sha256 {sha256}; {CHECK}")


def indexes() -> list[str]:
    """Pip's index, from its environment, its files or its default; then the extra indexes."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True).stdout
    settings = re.findall(r"^(\S*)\.((?:extra-)?index-url)='(.*)'$", listed, re.MULTILINE)
    settings.sort(key=lambda setting: setting[0] != ":env:")  # the environment overrides files
    main = [url for _, key, url in settings if key == "index-url"] or [PyPI.simple_url]
    extra = [
        url
        for _, key, urls in settings
        if key != "index-url"
        for url in urls.replace("\\n", " ").split()
    ]
    return [main[0], *extra]
