"""Download from Google Drive with gdown, which confirms pages, resumes and retries."""

from pathlib import Path

import gdown
from requests import RequestException

from hrrxml.datasets.sources.failure import SourceFailure


def download(file_id: str, archive: Path) -> None:
    try:
        gdown.download(id=file_id, output=str(archive), resume=True, retries=3, timeout=60)
    except (gdown.exceptions.DownloadError, RequestException) as error:
        raise SourceFailure(" ".join(str(error).split())) from error
