"""`pip install hrrxml` brings the library alone: it works without the packages of `[pipeline]`."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from helpers.project import ROOT, own_modules

from hrrxml.config import params
from hrrxml.runtime.errors import UserError

# Names that a package is imported by, where they differ from its own.
IMPORTED_AS = {"markdown-it-py": "markdown_it", "ruamel.yaml": "ruamel"}
WITHOUT = """
import sys
refused = set(sys.argv[1].split())
class Refusal:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in refused:
            raise ImportError(f"{name} is not installed")
sys.meta_path.insert(0, Refusal())
"""
# What is for the pipeline alone. All other modules are the library's.
PIPELINE = ("config/yaml_text", "datasets/sources", "experiments", "report", "suite")


def pipeline_packages() -> set[str]:
    library, pipeline = requirements()
    return {IMPORTED_AS.get(name, name) for name in pipeline if name not in library}


def requirements() -> tuple[dict[str, str], dict[str, str]]:
    """The version of each package that the library and the pipeline ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    library = dict(entry.split(">=") for entry in project["dependencies"])
    pipeline = dict(entry.split("==") for entry in project["optional-dependencies"]["pipeline"])
    return library, pipeline


def test_the_pipeline_pins_what_results_depend_on() -> None:
    library, pipeline = requirements()
    for name in library:
        assert pipeline[name].startswith(f"{library[name]}."), name


def without_them(program: str, *names: str) -> subprocess.CompletedProcess[str]:
    """Run a program in which no package of the pipeline can be imported."""
    refused = " ".join(pipeline_packages())
    command = [sys.executable, "-c", WITHOUT + program, refused, *names]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_the_library_is_imported_without_the_packages_of_the_pipeline() -> None:
    own = [path.relative_to("hrrxml").with_suffix("") for path in own_modules("hrrxml")]
    library = [path for path in own if not str(path).startswith(PIPELINE) and path.stem[0] != "_"]
    assert len(library) > 50
    program = "from importlib import import_module\nfor name in sys.argv[2:]: import_module(name)"
    done = without_them(program, *(".".join(("hrrxml", *path.parts)) for path in library))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["pandas", "ruamel"])
def test_the_packages_are_refused(name: str) -> None:
    """The control."""
    assert f"{name} is not installed" in without_them(f"import {name}.x").stderr


def test_params_name_what_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ruamel.yaml", None)
    with pytest.raises(UserError, match=r'needs ruamel\.yaml; pip install "hrrxml\[pipeline\]"'):
        params.load(tmp_path / "params.yaml")


def test_a_wheel_has_the_library_alone() -> None:
    """A user's environment must not get packages named `stages`, `papers` or `benchmarks`."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert settings["packages"]["find"]["include"] == ["hrrxml*"]
