"""Where the project is, and which files are its own."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def own_files(suffix: str = "") -> list[Path]:
    """What is in git or about to be, relative to ROOT.

    Anything else that lies in the folder, such as a virtual environment, is not the project's.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = [name for name in listed.stdout.split("\0") if name and name.endswith(suffix)]
    return [Path(name) for name in names if (ROOT / name).is_file()]


def own_modules(*packages: str) -> list[Path]:
    """The Python files below some folders of the project."""
    return [path for path in own_files(".py") if path.parts[0] in packages]
