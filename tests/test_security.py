"""Nothing that was not written here is ever run: SECURITY.md, put to the test."""

import ast
import builtins
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from dvc.repo import Repo
from helpers.project import ROOT, own_modules
from helpers.workspace import Workspace
from pydantic import ValidationError

from hrrxml.config import params
from hrrxml.config.schema import Params, Source, full_schema
from hrrxml.datasets.layouts import pecos
from hrrxml.runtime.errors import UserError
from hrrxml.runtime.files import read_tensors
from hrrxml.training.checkpoint import Checkpoint

# ---- What the code never does

PICKLES = {"pickle", "_pickle", "cPickle", "cloudpickle", "dill", "joblib", "marshal", "shelve"}
FORBIDDEN = {
    "__import__", "eval", "exec", "os.popen", "os.system", "shutil.unpack_archive",
    "subprocess.getoutput", "subprocess.getstatusoutput", "tempfile.mktemp", "torch.load",
    "asyncio.create_subprocess_shell", "yaml.full_load", "yaml.unsafe_load",
}  # fmt: skip
# Of whatever has them: pandas, archives, and torch.distributed, which sends objects as pickles.
METHODS = {
    "all_gather_object", "broadcast_object_list", "extractall", "gather_object", "read_pickle",
    "recv_object_list", "scatter_object_list", "to_pickle",
}  # fmt: skip
# What a call must say: the keyword, and the values it may have; None is for leaving it out.
# ruamel.yaml's default is "rt", which makes no objects of what it reads, either.
DEMANDED: dict[str, tuple[str, tuple[object, ...]]] = {
    "numpy.load": ("allow_pickle", (False,)),
    "ruamel.yaml.YAML": ("typ", (None, "rt", "safe")),
    "yaml.load": ("Loader", ("SafeLoader",)),
}


def dangers(source: str) -> list[str]:
    """What a program uses that could run what it reads. For mistakes: malice would find a way."""
    tree = ast.parse(source)
    known = _imports(tree)
    found = [name for name in known.values() if name.split(".")[0] in PICKLES]
    for node in ast.walk(tree):
        match node:
            case ast.Name() | ast.Attribute():
                name = _name(node, known)
                if name in FORBIDDEN or name.rpartition(".")[2] in METHODS:
                    found.append(name)
            case ast.Call():
                name = _name(node.func, known)
                said = {keyword.arg: _value(keyword.value) for keyword in node.keywords}
                keyword, values = DEMANDED.get(name, ("", (None,)))
                if said.get(keyword) not in values:
                    found.append(name)
                if said.get("shell", False) is not False:
                    found.append(f"{name} with a shell")
    return found


def _imports(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for."""
    known = {}
    for node in ast.walk(tree):
        for alias in node.names if isinstance(node, ast.Import | ast.ImportFrom) else ():
            if isinstance(node, ast.ImportFrom):
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            else:
                root = alias.name.split(".")[0]
                known[alias.asname or root] = alias.name if alias.asname else root
                known[alias.name] = alias.name
    return known


def _name(node: ast.expr, known: dict[str, str]) -> str:
    match node:
        case ast.Name(id=name):
            return known.get(name, name if hasattr(builtins, name) else f"own {name}")
        case ast.Attribute(value=value, attr=attr):
            return f"{_name(value, known)}.{attr}"
    return ""


def _value(node: ast.expr) -> object:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ast.dump(node)


@pytest.mark.parametrize("package", ["hrrxml", "stages", "papers", "benchmarks"])
def test_no_module_can_run_what_it_reads(package: str) -> None:
    modules = {path: (ROOT / path).read_text() for path in own_modules(package)}
    assert len(modules) > 5
    assert {str(path): found for path, text in modules.items() if (found := dangers(text))} == {}


BAD = [
    "import pickle",
    "def f():\n    from pickle import loads",
    "import joblib as j",
    "from sklearn.externals import joblib; joblib.load; import shelve",
    "import marshal",
    "import torch; torch.load(path)",
    "import torch as t; t.load(path, weights_only=True)",
    "from torch import load; load(path)",
    "import torch.distributed as dist; dist.broadcast_object_list(x)",
    "import numpy as np; np.load(path)",
    "import numpy as np; np.load(path, allow_pickle=True)",
    "from numpy import load; load(path, allow_pickle=trust)",
    "import pandas as pd; pd.read_pickle(path)",
    "import yaml; yaml.load(text)",
    "import yaml; yaml.load(text, Loader=yaml.Loader)",
    "import yaml; yaml.unsafe_load(text)",
    "from ruamel.yaml import YAML; YAML(typ='unsafe').load(text)",
    "import ruamel.yaml; ruamel.yaml.YAML(typ=wanted)",
    "eval(text)",
    "run = exec",
    "import os; os.system(command)",
    "from os import popen as ask; ask(command)",
    "import subprocess; subprocess.run(command, shell=True)",
    "from subprocess import Popen; Popen(command, shell=1)",
    "import subprocess; subprocess.check_output(command, shell=wanted)",
    "import tempfile; tempfile.mktemp()",
    "import tarfile; tarfile.open(path).extractall(folder)",
]
GOOD = [
    "model.eval(); self.load(path); matrix.exec = 1",
    "import numpy as np; np.load(path, allow_pickle=False)",
    "import yaml; yaml.load(text, Loader=yaml.SafeLoader)",
    "from ruamel.yaml import YAML; YAML(typ='safe').load(text)",
    "import subprocess; subprocess.run(command); subprocess.run(command, shell=False)",
    "from ruamel.yaml import YAML; yaml = YAML(typ='safe'); yaml.load(text)",
    "import ruamel.yaml; ruamel.yaml.YAML().dump(values, file)",
    "from safetensors.torch import load",
]


@pytest.mark.parametrize("source", BAD)
def test_the_check_finds(source: str) -> None:
    assert dangers(source)


@pytest.mark.parametrize("source", GOOD)
def test_the_check_allows(source: str) -> None:
    assert dangers(source) == []


# ---- Files that would run something, were they believed


class Bomb:
    """Creates a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str, str]]:
        return open, (str(self.path), "w")


@pytest.fixture
def bomb(tmp_path: Path) -> Iterator[Bomb]:
    bomb = Bomb(tmp_path / "pwned")
    pickle.loads(pickle.dumps(bomb)).close()
    assert bomb.path.exists()  # it works
    bomb.path.unlink()
    yield bomb
    assert not bomb.path.exists()


def _matrix(folder: Path, **changed: Any) -> Path:
    """A dataset of two points, with parts of a label matrix changed."""
    parts = {"data": np.ones(2), "indices": np.arange(2), "indptr": np.arange(3)}
    parts |= {"format": np.array("csr"), "shape": np.array([2, 2])}
    for part in ("trn", "tst"):
        (folder / f"x.{part}.txt").write_text("one\ntwo\n")
        np.savez(folder / f"y.{part}.npz", **(parts | changed))
    (folder / "output-items.txt").write_text("a\nb\n")
    return folder


@pytest.mark.parametrize("part", ["data", "indices", "indptr", "format", "shape"])
def test_a_pickle_in_a_label_matrix(part: str, bomb: Bomb, tmp_path: Path) -> None:
    assert pecos.read(_matrix(tmp_path)).n_labels == 2  # the control
    folder = _matrix(tmp_path, **{part: np.array([bomb, bomb], dtype=object)})
    with pytest.raises(UserError, match=r"y\.trn\.npz: not a sparse matrix saved by scipy"):
        pecos.read(folder)


def _as_pickle(bomb: Bomb, path: Path) -> None:
    path.write_bytes(pickle.dumps(bomb))


def _as_torch_saves(bomb: Bomb, path: Path) -> None:
    torch.save({"weight": bomb}, path)


@pytest.mark.parametrize("write", [_as_pickle, _as_torch_saves])
def test_a_pickle_instead_of_tensors(
    write: Callable[[Bomb, Path], None],
    bomb: Bomb,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "0.safetensors"
    write(bomb, path)
    with pytest.raises(UserError, match=r"0\.safetensors: damaged"):
        read_tensors(path)
    assert Checkpoint(path, {}).load() is None
    assert "ignored, training from the start" in capsys.readouterr().err


COMMAND = "!!python/object/apply:os.system ['touch pwned']"


@pytest.mark.parametrize(
    "value", [COMMAND, "!!python/name:os.system", "!!python/object/new:os.system [touch pwned]"]
)
def test_a_command_in_params(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "params.yaml").read_text()
    Path("params.yaml").write_text(text.replace("  dim: 400", f"  dim: {value}"))
    with pytest.raises(UserError, match=r"params\.yaml: not valid YAML"):
        params.load()
    assert os.listdir() == ["params.yaml"]


@pytest.mark.parametrize(
    "source",
    [
        {"pypi": "wn==1.0 --index-url=https://example.org", "sha256": "0" * 64},
        {"pypi": "wn==1.0\n-r other.txt", "sha256": "0" * 64},
        {"pypi": "wn @ https://example.org/wn.tar.gz", "sha256": "0" * 64},
        {"pypi": "--editable==1.0\n", "sha256": "0" * 64},
        {"pypi": "wn==1.0"},
        {"drive": "$(touch pwned)xxxxxxxxxxxxxxx"},
        {"url": "file:///etc/passwd"},
        {"url": "http://example.org/set.zip"},
        {"url": "https://example.org/ --output=pwned"},
    ],
)
def test_a_source_is_no_option_of_another_program(source: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Source.model_validate(source)


# ---- Names, which are in paths, and which DVC would put into a shell's command

NAMES = [
    "wordnet; touch pwned",
    "$(touch pwned)",
    "`touch pwned`",
    "a' ; touch pwned ; '",
    'a" ; touch pwned ; "',
    "'\"; touch pwned; \"'",
    "a\ntouch pwned",
    "a\\\n';touch pwned;'",
    "a|touch pwned",
    "a&touch pwned",
    "a>pwned",
    "-c",
]


@pytest.mark.parametrize("section", ["suite", "runs", "overfitting", "peers", "datasets"])
def test_names_are_words(section: str, settings: Params) -> None:
    for name in [*NAMES, "", "..", "../a", "a/b", "/a", ".a", "a b", "wordnet\n"]:
        raw = settings.model_dump()
        entry = {"peers": ["plt"], "datasets": raw["datasets"]["wordnet"]}
        if section == "suite":
            raw["suite"].append(name)
        else:
            raw[section][name] = entry.get(section, raw["runs"]["wordnet-fc"])
        with pytest.raises(ValidationError, match=rf"{section}(?s:.*)String should match pattern"):
            full_schema().model_validate(raw)


def attack(values: dict[str, Any]) -> None:
    """Every name wherever there can be one; lists of names and tables of entries."""
    run = values["runs"]["wordnet-fc"]
    for name in NAMES:
        values["datasets"][name] = values["datasets"]["wordnet"]
    values["suite"] += NAMES
    values["benchmarks"] = ["parse", *NAMES]
    values["runs"] |= dict.fromkeys(NAMES, run)
    values["overfitting"] = dict.fromkeys(["wordnet-fc", *NAMES], run)
    values["peers"] = {name: ["plt"] for name in ["wordnet", *NAMES]}


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    workspace = Workspace.copy_project(tmp_path_factory.mktemp("attacked"), attack)
    (workspace.path / "hrrxml/__init__.py").write_text("")  # a name needs no torch
    return workspace


def test_no_command_is_made_of_params(attacked: Workspace) -> None:
    with Repo(str(attacked.path)) as repo:
        commands = [(stage.name.partition("@"), stage.cmd) for stage in repo.index.stages]
    of_each: dict[str, set[str]] = {}
    for (kind, _, _), command in commands:
        of_each.setdefault(kind, set()).add(command)
    assert len([name for (kind, _, name), _ in commands if kind == "train"]) > len(NAMES)
    assert all(len(made) == 1 for made in of_each.values()), of_each


@pytest.mark.parametrize("stage", ["download", "benchmark"])
def test_no_shell_reads_a_name(stage: str, attacked: Workspace) -> None:
    """DVC itself refuses none: it runs each stage, which gets the name as it is."""
    program = attacked.path / f"stages/{stage}.py"
    program.write_text(
        "from hrrxml.runtime import command\n"
        "def main(name): print('asked for', [name], flush=True)\n"
        "command.run(main)"
    )
    output = attacked.run("dvc", "repro", "--keep-going", "--single-item", stage, fails=True)
    assert all(f"asked for {[name]}\n" in output for name in NAMES)
    assert not list(attacked.path.glob("pwned*"))


def test_the_names_are_dangerous(tmp_path: Path) -> None:
    """The control: what they do in a command that DVC makes of them."""
    workspace = Workspace.copy_project(tmp_path, attack)
    workspace.edit("dvc.yaml", "cmd: python -m stages.download", "cmd: echo ${item}")
    workspace.run("dvc", "repro", "--keep-going", "--single-item", "download", fails=True)
    assert (workspace.path / "pwned").exists()


def test_a_name_arrives_from_any_folder(tmp_path: Path) -> None:
    """There DVC calls the stage `../dvc.yaml:download@mine`."""

    def add(values: dict[str, Any]) -> None:
        folder = {"sources": [{"path": "data/download/mine"}], "layout": {"kind": "folder"}}
        values["datasets"]["mine"] = folder | {"propensity": {"a": 0.55, "b": 1.5}}
        values["suite"].append("mine")

    workspace = Workspace.copy_project(tmp_path, add)
    (tmp_path / "data/download/mine").mkdir(parents=True)
    (tmp_path / "data/download/mine/texts.txt").write_text("one\n")
    inner = Workspace(tmp_path / "stages")
    assert "mine" in inner.run("dvc", "repro", "../dvc.yaml:download@mine")
    assert "didn't change" in workspace.run("dvc", "repro", "download@mine")


def test_dvc_runs_nothing_of_params(attacked: Workspace) -> None:
    path = attacked.path / "params.yaml"
    before = path.read_text()
    path.write_text(f"{before}\nmore: {COMMAND}\n")
    try:
        assert "unable to read: 'params.yaml'" in attacked.run("dvc", "repro", fails=True)
    finally:
        path.write_text(before)
    assert not (attacked.path / "pwned").exists()
