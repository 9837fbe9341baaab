"""A copy of the project to drive from its command line, as a user does."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from helpers.project import ROOT, own_files

ENVIRONMENT = {
    **os.environ,
    # Each stage is a process: those of one workspace share what one has compiled.
    "PYTHONDONTWRITEBYTECODE": "",
    # DVC runs `python`: it must be this one, activated or not.
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "GIT_AUTHOR_NAME": "test",
    "GIT_AUTHOR_EMAIL": "test@localhost",
    "GIT_COMMITTER_NAME": "test",
    "GIT_COMMITTER_EMAIL": "test@localhost",
}


class Workspace:
    """A copy of the project with its own git history and no results, and its command line."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def copy_project(path: Path, change: Callable[[dict[str, Any]], None]) -> "Workspace":
        """What is in git or about to be, with one seed and params.yaml changed."""
        for name in own_files():
            made = name.parts[0] in ("results", "plots") or name.name == "dvc.lock"
            if not made or name.name == "README.md":
                (path / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, path / name)
        yaml = YAML()
        params = yaml.load(path / "params.yaml")
        params["train"]["seeds"] = 1
        change(params)
        yaml.dump(params, path / "params.yaml")
        workspace = Workspace(path)
        workspace.run("git", "init", "--quiet")
        workspace.commit()
        return workspace

    def run(self, *command: str, fails: bool = False) -> str:
        done = subprocess.run(
            command, cwd=self.path, env=ENVIRONMENT, text=True, capture_output=True
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def commit(self) -> None:
        self.run("git", "add", "--all")
        self.run("git", "commit", "--quiet", "--allow-empty", "--message", "state")

    def edit(self, file: str, old: str, new: str) -> None:
        text = (self.path / file).read_text()
        assert old in text
        (self.path / file).write_text(text.replace(old, new))

    def stages_run(self, *command: str) -> list[str]:
        """The names of the stages that a dvc command ran (or, with --dry, would)."""
        return re.findall(r"Running stage '(.*?)'", self.run("dvc", *command))

    def stale(self) -> list[str]:
        return self.stages_run("repro", "--dry")

    def md5(self, output: str) -> str:
        lock = YAML(typ="safe").load(self.path / "dvc.lock")
        outs = [out for stage in lock["stages"].values() for out in stage.get("outs", [])]
        (found,) = [out["md5"] for out in outs if out["path"] == output]
        return found
