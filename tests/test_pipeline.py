"""dvc.yaml declares what each stage imports, and the packages keep apart.

A stage that imports code without declaring it would not run again when that code changes.
"""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from dvc.repo import Repo
from helpers.project import ROOT, own_modules
from ruamel.yaml import YAML

from hrrxml.runtime import registry

PACKAGES = ("hrrxml", "stages", "papers", "benchmarks")
# Not tracked: they read params, which DVC tracks value by value, and handle files and errors.
UNTRACKED = ("hrrxml/config/", "hrrxml/runtime/", "hrrxml/__init__.py", "stages/__init__.py")
ENCODERS, HEADS = registry.names("hrrxml.encoders"), registry.names("hrrxml.heads")
# Each encoder and each head is in one of these runs.
PAIRS = [("fc", head) for head in HEADS] + [(encoder, "bce") for encoder in ENCODERS]
RUNS = {f"wordnet-{head}-{encoder}": (encoder, head) for encoder, head in dict.fromkeys(PAIRS)}
OF_RUNS = ("labels", "train", "evaluate", "overfitting")
OTHERS = {
    "download": "download@wordnet",
    "prepare": "prepare@wordnet",
    "peers": "peers@wordnet",
    "benchmark": "benchmark@parse",
    "capacity": "capacity",
    "theorem": "theorem",
    "report": "report",
}
STAGES = [*OF_RUNS, *OTHERS]

# Imports each case as a new process would, except that hrrxml/__init__.py stays empty: the names
# it offers for convenience are no part of a stage.
LOADER = """
import importlib, json, sys, types

PACKAGES, HRRXML = ("hrrxml", "stages", "papers", "benchmarks"), sys.argv[1]
found = {}
for name, modules in json.load(sys.stdin).items():
    for loaded in [one for one in sys.modules if one.split(".")[0] in PACKAGES]:
        del sys.modules[loaded]
    package = sys.modules["hrrxml"] = types.ModuleType("hrrxml")
    package.__path__ = [HRRXML]
    for module in modules:
        importlib.import_module(module)
    own = [m for n, m in list(sys.modules.items()) if n.split(".")[0] in PACKAGES]
    found[name] = [m.__file__ for m in own if getattr(m, "__file__", None)]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def stages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The pipeline as DVC understands it, by stage name, with every kind of stage in use."""
    workspace = tmp_path_factory.mktemp("pipeline")
    (workspace / "dvc.yaml").write_text((ROOT / "dvc.yaml").read_text())
    params = YAML(typ="safe").load(ROOT / "params.yaml")
    runs = {
        name: {"dataset": "wordnet", "encoder": encoder, "head": head}
        for name, (encoder, head) in RUNS.items()
    }
    params |= {"suite": ["wordnet"], "benchmarks": ["parse"], "peers": {"wordnet": ["plt"]}}
    params |= {"runs": runs, "overfitting": runs}
    YAML(typ="safe").dump(params, workspace / "params.yaml")
    Repo.init(str(workspace), no_scm=True).close()
    with Repo(str(workspace)) as repo:
        return {stage.name: stage for stage in repo.index.stages}


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    """The project's files that each stage loads, with its run's encoder, head and any codebook."""
    cases = {instance: [f"stages.{stage}"] for stage, instance in OTHERS.items()}
    books = [f"hrrxml.codebook.{name}" for name in registry.names("hrrxml.codebook")]
    for run, (encoder, head) in RUNS.items():
        parts = [f"hrrxml.heads.{head}", *books]
        cases[f"labels@{run}"] = ["stages.labels", *parts]
        for stage in ("train", "evaluate", "overfitting"):
            cases[f"{stage}@{run}"] = [f"stages.{stage}", f"hrrxml.encoders.{encoder}", *parts]
    done = subprocess.run(
        [sys.executable, "-c", LOADER, str(ROOT / "hrrxml")],
        input=json.dumps(cases), cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {
        name: {str(Path(file).relative_to(ROOT)) for file in files}
        for name, files in json.loads(done.stdout).items()
    }


def instances(stage: str) -> list[str]:
    return [OTHERS[stage]] if stage in OTHERS else [f"{stage}@{run}" for run in RUNS]


def declared_code(stage: Any) -> set[str]:
    """Files and folders of code that a stage depends on."""
    root = Path(stage.repo.root_dir)
    paths = [Path(dep.fs_path).relative_to(root) for dep in stage.deps if dep.protocol == "local"]
    code = [path for path in paths if path.parts[0] in PACKAGES and path.suffix in ("", ".py")]
    return {str(path) for path in code}


def covers(dep: str, file: str) -> bool:
    return Path(file).is_relative_to(dep)


def has_code(file: str) -> bool:
    """Whether there is more in it than a docstring."""
    body = ast.parse((ROOT / file).read_text()).body
    return any(not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)) for n in body)


@pytest.mark.parametrize("stage", STAGES)
def test_every_import_is_a_dependency(
    stage: str, stages: dict[str, Any], imported: dict[str, set[str]]
) -> None:
    for name in instances(stage):
        declared = declared_code(stages[name])
        tracked = {file for file in imported[name] if not file.startswith(UNTRACKED)}
        missing = {
            file
            for file in tracked
            if not any(covers(dep, file) for dep in declared) and has_code(file)
        }
        assert missing == set(), name


@pytest.mark.parametrize("stage", STAGES)
def test_every_dependency_on_code_exists_and_is_imported(
    stage: str, stages: dict[str, Any], imported: dict[str, set[str]]
) -> None:
    """By one of the runs at least: a codebook is only imported where the head has one."""
    files = set().union(*(imported[name] for name in instances(stage)))
    for name in instances(stage):
        for dep in declared_code(stages[name]):
            assert (ROOT / dep).exists(), (name, dep)
            assert any(covers(dep, file) for file in files), (name, dep)


def test_a_run_depends_on_no_other_encoder_or_head(stages: dict[str, Any]) -> None:
    for run, (encoder, head) in RUNS.items():
        for stage in OF_RUNS:
            declared = declared_code(stages[f"{stage}@{run}"])
            parts = {Path(dep).parts[1:] for dep in declared if len(Path(dep).parts) == 3}
            shared = {"__init__.py", "base.py"}
            assert {name for kind, name in parts if kind == "heads"} == shared | {f"{head}.py"}
            if stage != "labels":
                found = {name for kind, name in parts if kind == "encoders"}
                assert found == shared | {f"{encoder}.py"}


def test_only_what_measures_a_model_reads_the_test_split(stages: dict[str, Any]) -> None:
    readers = {
        name.split("@")[0]
        for name, stage in stages.items()
        for dep in stage.deps
        if str(dep).endswith("-test.safetensors")
    }
    assert readers == {"evaluate", "overfitting", "peers"}


def test_stages_are_named_after_their_files(stages: dict[str, Any]) -> None:
    assert {name.split("@")[0] for name in stages} == set(STAGES)
    assert {path.stem for path in own_modules("stages")} - {"__init__"} == set(STAGES)
    for name, stage in stages.items():
        assert stage.cmd == f"python -m stages.{name.split('@')[0]}"


def test_the_pipeline_stays_short_enough_to_read() -> None:
    assert len((ROOT / "dvc.yaml").read_text().splitlines()) < 250


def imports(path: Path) -> set[str]:
    """The names of all modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text())):
        match node:
            case ast.Import():
                found |= {alias.name for alias in node.names}
            case ast.ImportFrom(module=str(module), level=0):
                found |= {module} | {f"{module}.{alias.name}" for alias in node.names}
            case ast.ImportFrom():
                raise AssertionError(f"{path}: imports by a relative name")
    return found


def packages(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)}


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("hrrxml", {"stages", "papers", "benchmarks", "tests", "helpers"}),
        ("papers", {"stages", "tests", "helpers"}),
        ("benchmarks", {"stages", "tests", "helpers"}),
        ("stages", {"papers", "tests", "helpers"}),
    ],
)
def test_no_package_imports_what_builds_on_it(package: str, forbidden: set[str]) -> None:
    modules = own_modules(package)
    assert len(modules) > 5
    assert {str(path): found for path in modules if (found := packages(path) & forbidden)} == {}


def test_stages_are_thin_and_one_of_them_measures_speed() -> None:
    """Each builds on the library, none on another stage, and one alone on the benchmarks."""
    modules = [path for path in own_modules("stages") if path.stem != "__init__"]
    assert all("hrrxml" in packages(path) for path in modules)
    assert not any("stages" in packages(path) for path in modules)
    assert [path.stem for path in modules if "benchmarks" in packages(path)] == ["benchmark"]


def test_the_library_is_imported_without_what_only_stages_need() -> None:
    program = "import sys, hrrxml; print(*{name.split('.')[0] for name in sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "torch" in done.stdout.split()
    assert {"dvc", "pandas", "matplotlib", "sklearn"} & set(done.stdout.split()) == set()
