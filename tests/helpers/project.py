"""Where the project is, and which files are its own."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def own_files(suffix: str = "") -> list[Path]:
    """What is in git or about to be, relative to ROOT.

    Anything else that lies in the folder is not the project's: a virtual environment, for example,
    which git does not know by its name.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    names = [Path(name) for name in listed.stdout.split("\0") if name and name.endswith(suffix)]
    environments = [path.parent.relative_to(ROOT) for path in ROOT.glob("*/pyvenv.cfg")]
    own = [name for name in names if Path(name.parts[0]) not in environments]
    return [name for name in own if (ROOT / name).is_file()]


def own_modules(*packages: str) -> list[Path]:
    """The Python files below some folders of the project."""
    return [path for path in own_files(".py") if path.parts[0] in packages]
