"""params.yaml: every mistake is refused by name, and DVC's edits leave it readable."""

import sys
from importlib import import_module
from pathlib import Path

import pytest
from dvc.utils.hydra import apply_overrides
from helpers.project import ROOT

from hrrxml.config import params
from hrrxml.runtime import command, registry
from hrrxml.runtime.errors import UserError

TEXT = (ROOT / "params.yaml").read_text()
# The end of the run wordnet-hrr-fc.
HRR_FC = "    head: hrr\n    settings:\n      train: {seeds: 1}\n"

MISTAKES = [
    ("  dim: 400", "  dimm: 400", "hrr.dimm: unknown key; did you mean 'dim'?"),
    ("  dim: 400", "  dim: 0", "hrr.dim: Input should be greater than or equal to 2, not 0"),
    ("  dim: 400", "  dim: oops", "hrr.dim: Input should be a valid integer, not 'oops'"),
    ("  dim: 400", "  dim: true", "hrr.dim: Input should be a valid integer, not True"),
    ("  loss: absolute", "  loss: absolut", "hrr.loss: Input should be 'absolute', 'signed'"),
    (
        HRR_FC,
        HRR_FC.replace("hrr", "hhr"),
        "runs.wordnet-hrr-fc.head: no 'hhr' in heads; there are "
        + ", ".join(registry.names("hrrxml.heads")),
    ),
    (
        f"    encoder: fc\n{HRR_FC}",
        f"    encoder: fcc\n{HRR_FC}",
        "runs.wordnet-hrr-fc.encoder: no 'fcc' in encoders; there are "
        + ", ".join(registry.names("hrrxml.encoders")),
    ),
    (
        "  codebook: circulant",
        "  codebook: circular",
        "hrr.codebook: no 'circular' in codebook; there are "
        + ", ".join(registry.names("hrrxml.codebook")),
    ),
    ("  hidden: 512\n", "", "fc.hidden: missing"),
    ("  learning_rate: 1.5e-3", "  learning_rate: .nan", "hrr.learning_rate"),
    ("  test: 0.1", "  test: 0.95", "split: validation + test must be less than 1"),
    ("  loss: absolute", "  loss: mse\n  # ", None),
    ("- wordnet\n", "- wordnt\n", "suite: datasets has no 'wordnt'; did you mean 'wordnet'?"),
    ("- wordnet\n", "- wordnet-11k\n", "runs.wordnet-fc.dataset: add 'wordnet' to suite first"),
    ("peers: {}", "peers: {bibtex: [plt]}", "peers: add 'bibtex' to suite first"),
    ("  wordnet-fc:", "  baseline:", "runs.baseline: name it wordnet-<model>"),
    ("sha256: eee5", "sha256: EEE5", "datasets.wordnet.sources.0.sha256"),
    ("hrr:\n", "hrr\n", "not valid YAML"),
    ("  - 64\n", "  - 65\n", "capacity.dims.0: 65 is not a perfect square"),
    ("  - 64\n", "  - 1\n", "capacity.dims.0: Input should be greater than or equal to 64"),
    ("  - 144\n", "  - 64\n", "capacity.dims: list each value once"),
    ("  binding: true", "  binding: false\n  # ", None),
    ("  average_from:", "  average_from: 31 #", "train: average_from 31 is after the last epoch"),
    ("  threshold: 0.03", "  threshold: 0.5", "capacity.threshold"),
    ("  most_terms: 65536", "  most_terms: 0", "capacity.most_terms"),
    (
        HRR_FC,
        "    head: hrr\n    settings: {hrr: {dmi: 3}}\n",
        "runs.wordnet-hrr-fc.settings: hrr.dmi: unknown key; did you mean 'dim'?",
    ),
    (
        HRR_FC,
        "    head: hrr\n    settings: {hrr: {loss: mse, learn_pm: true}}\n",
        "runs.wordnet-hrr-fc.settings: hrr: loss mse has a fixed target",
    ),
    (
        HRR_FC,
        "    head: hrr\n    settings: {bce: {decay: 0.5}}\n",
        "runs.wordnet-hrr-fc: settings.bce is not used by this run; it uses train, fc, hrr",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), MISTAKES)
def test_mistakes_are_refused_by_name(
    tmp_path: Path, old: str, new: str, message: str | None
) -> None:
    assert old in TEXT
    path = tmp_path / "params.yaml"
    path.write_text(TEXT.replace(old, new))
    if message is None:  # the control: this change is legal
        params.load(path)
        return
    with pytest.raises(UserError) as refusal:
        params.load(path)
    assert f"{path}: {message}" in str(refusal.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run it in the project's root folder"):
        params.load(tmp_path / "params.yaml")


def test_an_unknown_run_or_dataset_is_answered_with_a_similar_one() -> None:
    with pytest.raises(UserError, match="did you mean 'wordnet-hrr-fc'"):
        params.load_run("wordnet-hr-fc", ROOT / "params.yaml")
    with pytest.raises(UserError, match="did you mean 'wordnet'"):
        params.load_dataset("wordnett", ROOT / "params.yaml")


def test_settings_override_for_one_run_alone(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(TEXT.replace(HRR_FC, "    head: hrr\n    settings: {hrr: {dim: 50}}\n"))
    assert params.load_run("wordnet-hrr-fc", path)[1].hrr.dim == 50
    assert params.load_run("wordnet-fc", path)[1].hrr.dim == 400


def test_small_learning_rates_as_dvc_writes_them(tmp_path: Path) -> None:
    path = tmp_path / "params.yaml"
    path.write_text(TEXT.replace("learning_rate: 1.5e-3", "learning_rate: 1e-05"))
    assert params.load(path).hrr.learning_rate == 1e-5


def test_an_experiment_changes_one_line_of_the_committed_file(tmp_path: Path) -> None:
    """`dvc exp run -S` rewrites params.yaml; ours is written as its dumper writes."""
    path = tmp_path / "params.yaml"
    path.write_text(TEXT)
    apply_overrides(path, ["hrr.dim=1500"])
    before, after = TEXT.splitlines(), path.read_text().splitlines()
    assert len(before) == len(after)
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [new.split("#")[0].strip() for _, new in changed] == ["dim: 1500"]


STAGES = [  # all but benchmark, which reads no params
    ("download", "wordnet"),
    ("prepare", "wordnet"),
    ("labels", "wordnet-hrr-fc"),
    ("train", "wordnet-hrr-fc"),
    ("evaluate", "wordnet-hrr-fc"),
    ("overfitting", "wordnet-glas-none"),
    ("peers", "wordnet"),
    ("capacity",),
    ("theorem",),
    ("report",),
]


@pytest.mark.parametrize("words", STAGES, ids=lambda words: words[0])
def test_every_stage_refuses_a_wrong_value_in_one_line(
    tmp_path: Path, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "params.yaml").write_text(TEXT.replace("  dim: 400  #", "  dim: 0  #"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", list(words))
    with pytest.raises(SystemExit) as end:
        command.run(import_module(f"stages.{words[0]}").main)
    assert end.value.code == (
        "error: params.yaml: hrr.dim: Input should be greater than or equal to 2, not 0"
    )
    assert list(tmp_path.iterdir()) == [tmp_path / "params.yaml"]
