"""The whole pipeline, as a user drives it, on a small real dataset: WordNet's animals.

The tests share one workspace and run in order; each leaves it as the next expects it.
"""

import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest
from helpers.runs import ALL, FC, FOLLOWED, HRR, animals
from helpers.workspace import Workspace

from papers import records, regression

OF_FC, OF_HRR = ([f"{s}@{run}" for s in ("labels", "train", "evaluate")] for run in (FC, HRR))
# Of the table of experiments, as on the report's page: the hashes of dependencies, for example.
NOT_SHOWN = ".*/|State|Executor"
CURVE = ["epoch", "train_loss", "validation_p1", "seconds"]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, wordnet: Path) -> Iterator[Workspace]:
    path = tmp_path_factory.mktemp("clone")
    yield animals(path, wordnet)
    shutil.rmtree(path)


def moved(workspace: Workspace) -> list[str]:
    """The runs whose metrics are further from their records than seeds are."""
    names = []
    for run in ALL:
        recorded = records.read("runs", run)["metrics"]
        now = json.loads((workspace.path / f"results/runs/{run}.json").read_text())["metrics"]
        if any(move.too_far for move in regression.compare(run, recorded, now)):
            names.append(run)
    return names


def test_repro_runs_everything_once(workspace: Workspace) -> None:
    output = workspace.run("dvc", "repro")
    wrote = re.findall(r"^(\w+): .*(?:results|data|models)/", output, re.MULTILINE)
    assert sorted(wrote) == sorted(
        ["download", "prepare", "capacity", "theorem", "report"]
        + len(ALL) * ["labels", "train", "evaluate"]
    )
    assert f"overfitting: {FOLLOWED}, seed 0: train" in output
    assert "up to date" in workspace.run("dvc", "repro")
    # What the first reproduction wrote is what a user commits.
    workspace.commit()


def test_every_stage_writes_what_it_promises(workspace: Workspace) -> None:
    summary = json.loads((workspace.path / "results/summary.json").read_text())
    names = {f"{m}@{k}" for m in ("P", "PSP", "nDCG", "PSnDCG") for k in range(1, 6)}
    assert set(summary) == names
    assert set(summary["P@1"]) == set(ALL)
    for run in ALL:
        curve = pd.read_csv(workspace.path / f"results/curves/{run}.csv")
        assert list(curve) == [*CURVE, "tokens_per_second", "seed"]
        assert list(curve["epoch"]) == list(range(1, len(curve) + 1))
        assert curve["train_loss"].iloc[-1] < curve["train_loss"].iloc[0]
        machine = json.loads((workspace.path / f"results/machines/{run}.json").read_text())
        assert set(machine) == {"cpu", "gpu", "threads", "python", "packages"}
        examples = json.loads((workspace.path / f"results/examples/{run}.json").read_text())
        assert len(examples) == 3
        assert all(len(example["predicted"]) == 5 for example in examples)
    followed = pd.read_csv(workspace.path / f"results/overfitting/{FOLLOWED}.csv")
    assert list(followed) == ["epoch", "train", "test", "seed"]
    assert followed["train"].iloc[1] > followed["train"].iloc[0]
    page = (workspace.path / "results/report.html").read_text()
    assert f"{summary['P@1'][HRR]:.2f}</td>" in page
    assert examples[0]["text"] in page
    assert "has no results of these runs" in page  # nothing had been committed when it was made
    # Everything in results/ and plots/ but the page is in git, nothing of data/ and models/ is.
    tracked = workspace.run("git", "ls-files", "results", "plots", "data", "models").split()
    assert "results/report.html" not in tracked
    assert "results/metrics.json" in tracked
    assert "plots/runs/learning_curves.svg" in tracked
    made = {name for name in tracked if name.startswith(("data", "models"))}
    assert made == {"data/.gitignore", "models/.gitignore"}


@pytest.mark.parametrize(
    ("old", "new", "stale"),
    [
        ("dim: 300", "dim: 301", OF_HRR),
        (
            "prior_bias: true",
            "prior_bias: false",
            OF_FC,
        ),
        (
            "device: auto",
            "device: cpu",
            [f"{s}@{r}" for s in ("train", "evaluate") for r in ALL] + [f"overfitting@{FOLLOWED}"],
        ),
        ("min_points: 2,", "min_points: 3,", []),  # of another dataset: helpers.runs.OTHER
    ],
)
def test_a_change_reruns_only_what_depends_on_it(
    workspace: Workspace, old: str, new: str, stale: list[str]
) -> None:
    workspace.edit("params.yaml", old, new)
    # A dry run cannot know yet that the report's inputs will have changed.
    assert sorted(set(workspace.stale()) - {"report"}) == sorted(stale)
    workspace.edit("params.yaml", new, old)


def test_training_again_gives_the_same_bytes(workspace: Workspace) -> None:
    before = workspace.md5(f"models/{HRR}")
    workspace.run("dvc", "repro", "--force", "--single-item", f"train@{HRR}")
    assert workspace.md5(f"models/{HRR}") == before
    workspace.run("git", "checkout", "--quiet", ".")


def test_one_parameter_of_an_experiment(workspace: Workspace) -> None:
    """`dvc exp run -S hrr.dim=…` changes one line, and only the HRR run trains."""
    ran = workspace.stages_run("exp", "run", "-S", "hrr.dim=150")
    assert ran == [*OF_HRR, "report"]
    changed = workspace.run("git", "diff", "--unified=0", "params.yaml").splitlines()
    lines = [line for line in changed if re.match(r"[+-] ", line)]
    assert [line.split("#")[0].strip() for line in lines] == ["-  dim: 300", "+  dim: 150"]
    diff = json.loads(workspace.run("dvc", "metrics", "diff", "--json"))
    assert set(diff["results/metrics.json"]) == {"P@1.hrr-fc"}
    page = (workspace.path / "results/report.html").read_text()
    assert "setting: hrr.dim: 300 → 150 (hrr-fc)" in page
    workspace.run("git", "checkout", "--quiet", ".")
    workspace.run("dvc", "checkout")
    assert workspace.stale() == []


def count_experiments(workspace: Workspace) -> int:
    """Git answers at once; each question to DVC takes a second of a core from the experiments."""
    refs = workspace.run("git", "for-each-ref", "refs/exps/??/*/*")
    return len(refs.splitlines())


def test_a_queued_sweep_runs_every_value(workspace: Workspace) -> None:
    before, deadline = count_experiments(workspace), time.monotonic() + 600
    workspace.run("dvc", "exp", "run", "--queue", "-S", "hrr.dim=40,80")
    workspace.run("dvc", "queue", "start")
    while count_experiments(workspace) < before + 2 and time.monotonic() < deadline:
        time.sleep(0.5)
    while "Running" in (status := workspace.run("dvc", "queue", "status")):
        assert time.monotonic() < deadline, status
        time.sleep(1)
    assert status.count("Success") == 2, status
    table = json.loads(workspace.run("dvc", "exp", "show", "--json"))
    experiments = [e["revs"][0]["data"] for rev in table for e in rev.get("experiments") or []]
    p1 = {
        e["params"]["params.yaml"]["data"]["hrr"]["dim"]: e["metrics"]["results/metrics.json"][
            "data"
        ]["P@1"]["hrr-fc"]
        for e in experiments
    }
    assert {40, 80} <= set(p1)
    assert p1[40] < p1[80]
    shown = workspace.run("dvc", "exp", "show", "--only-changed", "--drop", NOT_SHOWN)
    assert re.search("Experiment +Created +P@1.hrr-fc +hrr.dim *\n", shown)  # and nothing else
    assert max(map(len, shown.splitlines())) <= 100


def test_one_run_can_be_trained_alone(workspace: Workspace) -> None:
    workspace.edit("params.yaml", "dim: 300", "dim: 20")
    ran = workspace.stages_run("repro", f"train@{HRR}")
    assert ran == [f"labels@{HRR}", f"train@{HRR}"]
    workspace.run("git", "checkout", "--quiet", ".")
    workspace.run("dvc", "checkout")


def test_plots_need_no_network(workspace: Workspace) -> None:
    workspace.run("dvc", "plots", "show")
    page = workspace.path / "dvc_plots/index.html"
    text = page.read_text()
    assert not re.search(r"https?://", text)
    images = re.findall(r'<img src="(.*?)"', text)
    assert len(images) == len(list(workspace.path.glob("plots/*/*.svg"))) > 0
    for image in images:
        assert "<svg" in (page.parent / image).read_text()


def test_plots_in_a_browser(workspace: Workspace, tmp_path: Path) -> None:
    """Every figure is really drawn: the browser reports each image's natural size."""
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("install chromium to test that the plots are drawn")
    page = workspace.path / "dvc_plots/index.html"
    script = (
        "<script>onload = () => document.body.append("
        "'SIZES ' + [...document.images].map(i => i.naturalWidth).join(' ') + ' END')</script>"
    )
    page.write_text(page.read_text().replace("</body>", f"{script}</body>"))
    flags = "--headless --no-sandbox --disable-gpu --disable-background-networking --no-first-run"
    command = [chromium, *flags.split(), f"--user-data-dir={tmp_path}", "--dump-dom", page.as_uri()]
    dom = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    found = re.search(r"SIZES ([\d ]+) END", dom)
    assert found
    widths = [int(width) for width in found[1].split()]
    assert len(widths) == len(list(workspace.path.glob("plots/*/*.svg")))
    assert min(widths) > 100


def test_a_clone_without_data_rebuilds_the_report(workspace: Workspace, tmp_path: Path) -> None:
    workspace.run("git", "clone", "--quiet", str(workspace.path), str(tmp_path / "clone"))
    clone = Workspace(tmp_path / "clone")
    assert not (clone.path / f"models/{HRR}").exists()
    assert clone.stages_run("repro", "--allow-missing", "--dry") == []
    written = ["results/metrics.json", "results/summary.json", "plots/runs/precision.svg"]
    before = {name: (clone.path / name).read_bytes() for name in written}
    for name in written:
        (clone.path / name).unlink()
    assert clone.stages_run("repro", "--allow-missing", "report") == ["report"]
    assert {name: (clone.path / name).read_bytes() for name in written} == before


def test_a_second_clone_makes_the_same_bytes(workspace: Workspace, tmp_path: Path) -> None:
    """Models and results from nothing but the commit; of the curves all but what was timed."""
    workspace.run("git", "clone", "--quiet", str(workspace.path), str(tmp_path / "clone"))
    clone = Workspace(tmp_path / "clone")
    shutil.copytree(
        workspace.path / "data/download/wordnet-animals",
        clone.path / "data/download/wordnet-animals",
    )
    clone.run("dvc", "repro")
    for run in ALL:
        model = f"models/{run}/0.safetensors"
        assert (clone.path / model).read_bytes() == (workspace.path / model).read_bytes()
    timed = {f"results/curves/{run}.csv" for run in ALL}
    differing = set(clone.run("git", "diff", "--name-only").split())
    assert differing <= timed | {"dvc.lock"}
    for name in timed:
        curves = [pd.read_csv(place.path / name) for place in (clone, workspace)]
        untimed = [curve.drop(columns=["seconds", "tokens_per_second"]) for curve in curves]
        pd.testing.assert_frame_equal(*untimed)


def test_a_broken_loss_is_noticed(workspace: Workspace) -> None:
    """The regression of metrics can fail: with eq. 6 turned round, it does."""
    loss = "(len(labels.ids) - similarity)"
    workspace.edit("hrrxml/heads/hrr.py", loss, loss.replace("-", "+"))
    ran = workspace.stages_run("repro")
    assert ran == [*OF_HRR, "report"]
    assert moved(workspace) == [HRR]
    page = (workspace.path / "results/report.html").read_text()
    assert re.search("Something moved: 3 of 12 .* the same for 3 of them", page)
    assert '<span class="moved">hrr-fc: P@1' in page


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("loss: absolute", "loss: absolut", "hrr.loss: Input should be 'absolute'"),
    ],
)
def test_a_misspelt_value_stops_dvc_with_its_key(
    workspace: Workspace, old: str, new: str, message: str
) -> None:
    workspace.edit("params.yaml", old, new)
    output = workspace.run("dvc", "repro", fails=True)
    assert f"error: params.yaml: {message}" in output
    assert "Traceback" not in output
    workspace.edit("params.yaml", new, old)
