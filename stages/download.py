"""Download one dataset from the first source that has it; verify and unpack it.

python -m stages.download wordnet    → data/download/wordnet/
"""

from hrrxml.config import params, paths
from hrrxml.datasets import sources
from hrrxml.runtime import command


def main(dataset: str) -> None:
    entry, _ = params.load_dataset(dataset)
    folder = paths.download(dataset)
    print(f"download: {folder}: {sources.fetch(entry, folder)}")


if __name__ == "__main__":
    command.run(main)
