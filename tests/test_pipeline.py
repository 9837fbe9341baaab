"""dvc.yaml says what the code does: imports are dependencies, params are those read."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from dvc.repo import Repo

from hrrxml import suite

# Declarations only (see its docstring), and packages without code.
UNTRACKED = {"hrrxml/schema.py"} | {
    str(path.relative_to(ROOT))
    for path in ROOT.glob("*/**/__init__.py")
    if len(path.read_text().splitlines()) <= 1
}

# What is imported by name.
NAMED = {
    "encoders": ["cnn", "fc", "lstm", "none"],
    "heads": ["bce", "glas", "grouped", "holographic", "hrr"],
    "codebook": ["circulant", "learned", "random"],
}
BENCHMARKED = {"encoders": ["cnn", "fc", "lstm"], "heads": ["bce", "holographic", "hrr"]}

# Each stage, and the one instance of it whose dependencies are looked at.
STAGES = {
    "download": "download@wordnet",
    "prepare": "prepare@wordnet",
    "labels": "labels@wordnet-glas-cnn",
    "train": "train@wordnet-glas-cnn",
    "evaluate": "evaluate@wordnet-glas-cnn",
    "overfitting": "overfitting@wordnet-glas-cnn",
    "peers": "peers@wordnet",
    "benchmark": "benchmark@parse",
    "capacity": "capacity",
    "theorem": "theorem",
    "report": "report",
}
RUN = "  wordnet-glas-cnn: {dataset: wordnet, encoder: cnn, head: glas}"


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The pipeline as DVC understands it, by stage name, with every stage in use."""
    workspace = tmp_path_factory.mktemp("pipeline")
    for name in ("params.yaml", "dvc.yaml", "suites"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, workspace / name)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(workspace)
        suite.choose("default")
    params = workspace / "params.yaml"
    text = params.read_text().replace("benchmarks: []", "benchmarks:\n- parse")
    text = text.replace("peers: {}", "peers:\n  wordnet:\n  - plt")
    text = text.replace("overfitting: {}", f"overfitting:\n{RUN}")
    params.write_text(text.replace("\nruns:\n", f"\nruns:\n{RUN}\n"))
    Repo.init(str(workspace), no_scm=True).close()
    with Repo(str(workspace)) as repo:
        return {stage.name: stage for stage in repo.index.stages}


def code_deps(stage: Any) -> set[str]:
    root = Path(stage.repo.root_dir)
    paths = {Path(dep.fs_path).relative_to(root) for dep in stage.deps if dep.protocol == "local"}
    found = set()
    for path in paths:
        if path.suffix == ".py":
            found.add(str(path))
        elif path.parts[0] == "hrrxml":
            found |= {str(p.relative_to(ROOT)) for p in (ROOT / path).rglob("*.py")}
    return found


def imported_modules(stage: str, named: dict[str, list[str]]) -> set[str]:
    """Files of the project that a stage loads, with what it imports by name, and all figures."""
    program = f"""
import importlib, json, sys
importlib.import_module("stages.{stage}")
for package, names in {named}.items():
    if f"hrrxml.{{package}}" in sys.modules:
        for name in names:
            importlib.import_module(f"hrrxml.{{package}}.{{name}}")
if "hrrxml.report.figures" in sys.modules:
    from hrrxml.report import figures
    for name in figures.ALL: importlib.import_module(f"hrrxml.report.figures.{{name}}")
files = [getattr(module, "__file__", None) for module in sys.modules.values()]
print(json.dumps([file for file in files if file]))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    files = [Path(file) for file in json.loads(run.stdout)]
    return {str(file.relative_to(ROOT)) for file in files if file.is_relative_to(ROOT)}


@pytest.mark.parametrize("name", STAGES)
def test_every_import_is_a_dependency_and_nothing_else(name: str, stages: dict[str, Any]) -> None:
    """A run lists its own encoder and head, and what any other of them imports in turn."""
    declared = code_deps(stages[STAGES[name]]) - UNTRACKED
    every = NAMED | (BENCHMARKED if name == "benchmark" else {})
    imported = imported_modules(name, every) - UNTRACKED
    if name != "benchmark":
        others = [f"hrrxml/{p}/{n}.py" for p in ("encoders", "heads") for n in NAMED[p]]
        imported -= set(others) - declared
    assert declared == imported


@pytest.mark.parametrize("head", NAMED["heads"])
def test_no_head_builds_on_another_that_is_undeclared(head: str, stages: dict[str, Any]) -> None:
    own = NAMED | {"encoders": ["cnn"], "heads": [head]}
    declared = code_deps(stages[STAGES["train"]]) | UNTRACKED | {f"hrrxml/heads/{head}.py"}
    assert imported_modules("train", own) <= declared


def test_the_report_depends_on_every_suite(stages: dict[str, Any]) -> None:
    """On their files one by one, since suites/lock.json lies beside them."""
    named = {dep.def_path for dep in stages["report"].deps if dep.def_path.startswith("suites/")}
    assert named == {f"suites/{path.name}" for path in (ROOT / "suites").glob("*.yaml")}


def test_stages_are_named_after_their_files(stages: dict[str, Any]) -> None:
    assert {name.split("@")[0] for name in stages} == set(STAGES)
    files = {path.stem for path in (ROOT / "stages").glob("*.py")} - {"__init__"}
    assert files == set(STAGES)


def test_only_what_measures_a_model_reads_the_test_split(stages: dict[str, Any]) -> None:
    readers = {
        name.split("@")[0]
        for name, stage in stages.items()
        for dep in stage.deps
        if str(dep).endswith("-test.safetensors")
    }
    assert readers == {"evaluate", "overfitting", "peers"}  # ours, and those we compare with


def test_the_librarys_modules_never_import_a_stage() -> None:
    for path in (ROOT / "hrrxml").rglob("*.py"):
        assert not re.search(r"^\s*(from|import) stages", path.read_text(), re.MULTILINE), path
