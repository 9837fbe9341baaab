"""A saved model: what comes back, what it takes on disk, and what becomes of a damaged one."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from helpers.command import questions
from safetensors.torch import load_file
from scipy.sparse import csr_matrix
from sklearn.datasets import make_multilabel_classification
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

import hrrxml
from hrrxml import HolographicClassifier, UserError
from hrrxml.estimator import origin, storage
from hrrxml.runtime.errors import InputError

TEXTS = [text for text, _ in questions()] * 3
TAGS = [tags for _, tags in questions()] * 3
FILES = ["README.md", "labels.txt", "model.json", "model.safetensors", "vocabulary.txt"]


def quick(**options: Any) -> HolographicClassifier:
    return HolographicClassifier(**{"epochs": 3} | options)


@pytest.fixture(scope="module")
def kitchen() -> HolographicClassifier:
    return quick(hidden=16, dim=4).fit(TEXTS, TAGS)


@pytest.fixture
def saved(kitchen: HolographicClassifier, tmp_path: Path) -> Path:
    kitchen.save(tmp_path / "model")
    return tmp_path / "model"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


# what comes back


def test_float32_comes_back_exactly(kitchen: HolographicClassifier, tmp_path: Path) -> None:
    kitchen.save(tmp_path / "model", dtype="float32")
    loaded = hrrxml.load(tmp_path / "model")
    assert loaded.predict(TEXTS, k=5) == kitchen.predict(TEXTS, k=5)
    assert loaded.predict(TEXTS) == kitchen.predict(TEXTS)
    assert loaded.evaluate(TEXTS, TAGS) == kitchen.evaluate(TEXTS, TAGS)
    assert loaded.explain(TEXTS[0], "bread") == kitchen.explain(TEXTS[0], "bread")
    assert loaded.neighbours("bread") == kitchen.neighbours("bread")
    assert loaded.describe() == kitchen.describe()
    assert loaded.get_params() == kitchen.get_params()
    assert loaded.classes_.tolist() == kitchen.classes_.tolist()
    assert loaded.validation_ == kitchen.validation_ != {}


@pytest.mark.parametrize(("dtype", "error"), [("float16", 2e-3), ("bfloat16", 2e-2)])
def test_half_precision_comes_back_nearly(
    dtype: str, error: float, kitchen: HolographicClassifier, tmp_path: Path
) -> None:
    kitchen.save(tmp_path / "model", dtype=dtype)
    loaded = hrrxml.load(tmp_path / "model")
    for before, after in zip(kitchen.predict(TEXTS, k=5), loaded.predict(TEXTS, k=5), strict=True):
        assert dict(after) == pytest.approx(dict(before), abs=error)


FORMS: dict[str, Any] = {
    "texts, tags": (TEXTS, TAGS),
    "texts, one label": (TEXTS, [tags[0] for tags in TAGS]),
    "texts, numbers": (TEXTS, [[len(tags), 7] for tags in TAGS]),
    "texts, numpy's numbers": (TEXTS, [np.array([len(tags), 7]) for tags in TAGS]),
    "features, dense": make_multilabel_classification(80, 9, n_classes=4, random_state=0),
    "features, sparse": tuple(
        map(csr_matrix, make_multilabel_classification(80, 9, n_classes=4, random_state=0))
    ),
    "signed features, one label": (np.random.default_rng(0).normal(size=(60, 3)), [0.0, 1.0] * 30),
    "truth values": (np.random.default_rng(0).normal(size=(60, 3)), [True, False] * 30),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_comes_back(form: str, tmp_path: Path) -> None:
    X, y = FORMS[form]
    clf = quick().fit(X, y)
    clf.save(tmp_path / "model", dtype="float32")
    loaded = hrrxml.load(tmp_path / "model")
    first, second = clf.predict(X), loaded.predict(X)
    assert type(first) is type(second)
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert loaded.predict(X, k=3) == clf.predict(X, k=3)
    loaded.partial_fit(X, y)  # and learns on
    assert loaded.fitted_.seen.n_points == 2 * clf.fitted_.seen.n_points


def test_a_loaded_model_learns_as_the_first_one_does(tmp_path: Path) -> None:
    clf = quick().fit(TEXTS, TAGS)
    clf.save(tmp_path / "model", dtype="float32")
    loaded = hrrxml.load(tmp_path / "model")
    for model in (clf, loaded):
        model.add_labels(["wok"]).partial_fit([*TEXTS, "wok"], [*TAGS, ["wok"]])
    assert loaded.predict(TEXTS, k=6) == clf.predict(TEXTS, k=6)
    loaded.save(tmp_path / "model")
    assert hrrxml.load(tmp_path / "model").classes_.tolist()[-1] == "wok"


def test_strange_names_come_back(tmp_path: Path) -> None:
    names = ["a, b", "two\nlines", "\ud800 half", 'quo"te', "", " ", "U+2028 \u2028", "🍲", "\r"]
    texts = [f"word{i} {'多' * i}x" for i in range(len(names))]
    clf = quick(vectorizer=str.split).fit(texts, [[name] for name in names])
    clf.save(tmp_path / "model", dtype="float32")
    loaded = hrrxml.load(tmp_path / "model", vectorizer=str.split)
    assert loaded.classes_.tolist() == sorted(names)
    assert loaded.predict(texts, k=9) == clf.predict(texts, k=9)
    assert clf.predict(texts, k=9, among=names) == clf.predict(texts, k=9)


def test_the_users_random_numbers_stay(saved: Path) -> None:
    before = torch.get_rng_state()
    loaded = hrrxml.load(saved)
    loaded.add_labels(["new"])
    assert torch.equal(torch.get_rng_state(), before)


def test_a_table_keeps_the_names_of_its_columns(tmp_path: Path) -> None:
    X = pd.DataFrame({"length": [1.0, 2, 3] * 9, "größe": [3.0, 2, 1] * 9})
    clf = quick().fit(X, list("abc") * 9)
    clf.save(tmp_path / "model", dtype="float32")
    loaded = hrrxml.load(tmp_path / "model")
    assert loaded.predict(X, k=3) == clf.predict(X, k=3)
    assert {name for name, _ in loaded.explain(X.iloc[:1], "a")} == {"length", "größe"}


# vectorizers


def letters(text: str) -> list[str]:
    return list(text)


def test_a_vectorizer_of_ones_own_is_given_again(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    clf = quick(vectorizer=CountVectorizer(ngram_range=(1, 2))).fit(TEXTS, TAGS)
    clf.save(folder, dtype="float32")
    assert "vectorizer=…" in (folder / "README.md").read_text()
    loaded = hrrxml.load(folder, vectorizer=clf.vectorizer_)
    assert loaded.predict(TEXTS, k=3) == clf.predict(TEXTS, k=3)
    for wrong in (None, letters, TfidfVectorizer()):
        with pytest.raises(UserError, match="trained with the vectorizer 'CountVectorizer'"):
            hrrxml.load(folder, vectorizer=wrong)
    other = CountVectorizer().fit(TEXTS)
    with pytest.raises(InputError, match="give the vectorizer that was fitted with the model"):
        hrrxml.load(folder, vectorizer=other).predict(TEXTS)


def test_a_function_is_given_again(saved: Path, tmp_path: Path) -> None:
    clf = quick(vectorizer=letters).fit(TEXTS, TAGS)
    clf.save(tmp_path / "letters", dtype="float32")
    loaded = hrrxml.load(tmp_path / "letters", vectorizer=letters)
    assert loaded.predict(TEXTS, k=3) == clf.predict(TEXTS, k=3)
    with pytest.raises(UserError, match="trained with the vectorizer 'function'"):
        hrrxml.load(tmp_path / "letters")
    with pytest.raises(UserError, match="trained with the vectorizer 'words and pairs'; give none"):
        hrrxml.load(saved, vectorizer=letters)


# on disk


def test_the_files_of_a_model(saved: Path) -> None:
    assert sorted(contents(saved)) == FILES
    assert (saved / "labels.txt").read_text(encoding="utf-8").splitlines()[3] == '"crème brûlée"'
    modes = {stat.S_IMODE(path.stat().st_mode) for path in saved.iterdir()}
    assert len(modes) == 1  # who may read one may read all


def test_the_codes_are_a_seed_and_a_shape(tmp_path: Path) -> None:
    """Ten times the labels: the file has a bias and a count more for each, and no code."""
    sizes = []
    for n in (200, 2000):
        y = [[i % n, (7 * i) % n] for i in range(2000)]
        clf = quick(epochs=1, dim=64, validation=0).fit([f"word{i % 50}" for i in range(2000)], y)
        clf.save(tmp_path / "model")
        tensors = load_file(tmp_path / "model" / "model.safetensors")
        assert not any("bases" in name or "labels" in name for name in tensors)
        sizes.append(sum(tensor.nbytes for tensor in tensors.values()))
    assert sizes[1] - sizes[0] == 1800 * 8


def test_small_types_and_pruning_make_small_files(tmp_path: Path) -> None:
    clf = HolographicClassifier(dim=256, validation=0).fit(TEXTS, TAGS)
    sizes = {}
    for name, options in {
        "float32": {"dtype": "float32"},
        "float16": {},
        "pruned": {"prune": 0.9},
    }.items():
        clf.save(tmp_path / name, **options)  # type: ignore[arg-type]
        sizes[name] = (tmp_path / name / "model.safetensors").stat().st_size
    assert sizes["float16"] < 0.6 * sizes["float32"]
    assert sizes["pruned"] < 0.4 * sizes["float16"]
    pruned = hrrxml.load(tmp_path / "pruned")
    path = pruned.fitted_.model.head.output.shortcut.weight
    assert (path == 0).float().mean() == pytest.approx(0.9, abs=0.01)
    full = clf.fitted_.model.head.output.shortcut.weight
    assert full[path == 0].abs().max() <= full[path != 0].abs().min() * 1.01
    assert pruned.score(TEXTS, TAGS) > 0.8


def test_a_weight_too_large_for_float16_stays_float32(tmp_path: Path) -> None:
    clf = quick().fit(TEXTS, TAGS)
    with torch.no_grad():
        clf.fitted_.model.head.output.shortcut.weight[0, 0] = 1e6
    clf.save(tmp_path / "model")
    assert hrrxml.load(tmp_path / "model").predict(TEXTS, k=5) == clf.predict(TEXTS, k=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "int8"}, "dtype is 'int8'"),
        ({"prune": 0.5}, "prune is 0.5"),
        ({"prune": 1}, "prune is 1"),
        ({"prune": "0.9"}, "prune is '0.9'"),
        ({"card": {"license": "MIT"}}, "card has no 'license'; it may have name, data, licence"),
        ({"card": {"licence": 4}}, "licence must be a text"),
        ({"card": {"test": 0.9}}, "test must be the result of `evaluate`"),
    ],
)
def test_wrong_options(
    options: dict[str, Any], message: str, kitchen: HolographicClassifier, saved: Path
) -> None:
    before = contents(saved)
    with pytest.raises(InputError, match=message):
        kitchen.save(saved, **options)
    assert contents(saved) == before


def test_the_same_training_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        torch.manual_seed(len(name))
        quick(random_state=5).fit(TEXTS, TAGS).save(tmp_path / name / "model")
    assert contents(tmp_path / "first" / "model") == contents(tmp_path / "second" / "model")


def test_numpys_numbers_can_be_saved(tmp_path: Path) -> None:
    options = {"dim": np.int64(8), "epochs": np.int32(2), "validation": np.float32(0.1)}
    generator = np.random.RandomState(0)
    clf = HolographicClassifier(**options, random_state=generator).fit(TEXTS, TAGS)
    clf.save(tmp_path / "model", prune=np.float64(0.9))
    loaded = hrrxml.load(str(tmp_path / "model"))
    assert (loaded.dim, loaded.epochs, loaded.random_state) == (8, 2, None)


# the card


def test_the_card_says_what_the_model_is(kitchen: HolographicClassifier, tmp_path: Path) -> None:
    test = kitchen.evaluate(TEXTS, TAGS)
    card = {"name": "My | kitchen", "data": "questions", "licence": "CC BY 4.0", "test": test}
    kitchen.save(tmp_path / "model", prune=0.8, card=card)
    text = (tmp_path / "model" / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# My | kitchen\n")
    lines = [line.strip("| ") for line in text.splitlines() if line.startswith("| ")]
    rows = dict(line.split(" | ", 1) for line in lines if " | " in line)
    assert rows["data"] == "questions"
    assert rows["licence of the data"] == "CC BY 4.0"
    assert (rows["points"], rows["labels"]) == ("288", "5")
    for metric in ("P@1", "P@5", "PSP@5", "ECE@1", "ECE@5", "ECE@1 before calibration"):
        shown = f"{kitchen.validation_[metric]:.2f} | {test[metric]:.2f}"
        assert rows[metric] == shown
    assert "(random_state 0)" in text
    assert "before its small weights were dropped" in text
    assert rows["hrrxml"].startswith(hrrxml.__version__)
    code = text.split("```python\n")[1].split("```")[0]
    folder, names = os.getcwd(), {}
    os.chdir(tmp_path)
    try:
        exec(code, names)
    finally:
        os.chdir(folder)
    assert names["clf"].classes_.tolist() == kitchen.classes_.tolist()


def test_what_was_stated_is_kept_until_it_is_no_longer_true(saved: Path) -> None:
    clf = hrrxml.load(saved)
    clf.save(saved, card={"licence": "CC0", "test": clf.evaluate(TEXTS, TAGS)})
    again = hrrxml.load(saved)
    again.save(saved, dtype="float32")
    assert "| CC0 |" in (saved / "README.md").read_text()
    assert "test points" in (saved / "README.md").read_text()
    again.partial_fit(TEXTS, TAGS).save(saved)
    text = (saved / "README.md").read_text()
    assert "| CC0 |" in text
    assert "test points" not in text
    assert "Not measured" in text


def test_the_commit_is_that_of_the_librarys_own_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> str:
        names = ["-c", "user.name=a", "-c", "user.email=a@b"]
        done = subprocess.run(
            ["git", "-C", tmp_path, *names, *words], capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    library = tmp_path / "hrrxml"
    library.mkdir()
    (library / "__init__.py").write_text("x = 1\n")
    monkeypatch.setattr(hrrxml, "__file__", str(library / "__init__.py"))
    here: Callable[[], origin.Origin] = origin.this_library.__wrapped__
    assert here() == origin.Origin(hrrxml.__version__)  # no checkout
    git("init", "-q")
    assert here().commit is None  # a user's checkout, which does not hold the library
    git("add", "hrrxml")
    git("commit", "-q", "-m", "first")
    assert here() == origin.Origin(hrrxml.__version__, git("rev-parse", "HEAD"))
    assert str(here()) == f"{hrrxml.__version__}, commit {git('rev-parse', 'HEAD')}"
    (library / "__init__.py").write_text("x = 2\n")
    assert str(here()).endswith(" with changes")
    monkeypatch.setenv("PATH", "")
    assert here() == origin.Origin(hrrxml.__version__)  # no git


# faults


@pytest.mark.parametrize("name", FILES[1:])
@pytest.mark.parametrize("share", [0, 0.3, 0.99])
def test_a_file_cut_short(name: str, share: float, saved: Path) -> None:
    content = (saved / name).read_bytes()
    (saved / name).write_bytes(content[: int(share * len(content))])
    with pytest.raises(UserError, match=str(saved)) as caught:
        hrrxml.load(saved)
    assert "copy the model again, or train it again" in str(caught.value)


@pytest.mark.parametrize("name", FILES[1:])
def test_a_file_that_is_missing(name: str, saved: Path) -> None:
    (saved / name).unlink()
    with pytest.raises(UserError, match=rf"{saved}.*{name}"):
        hrrxml.load(saved)


def test_a_flipped_bit(saved: Path) -> None:
    content = bytearray((saved / "model.safetensors").read_bytes())
    content[-5] ^= 1
    (saved / "model.safetensors").write_bytes(bytes(content))
    with pytest.raises(UserError, match=r"model\.safetensors: damaged"):
        hrrxml.load(saved)


def test_a_name_that_occurs_twice(saved: Path) -> None:
    lines = (saved / "labels.txt").read_text(encoding="utf-8").splitlines()
    (saved / "labels.txt").write_text("\n".join([lines[0], *lines[:-1], ""]), encoding="utf-8")
    with pytest.raises(UserError, match="occurs twice"):
        hrrxml.load(saved)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": 999}, "a model of format 999, and this hrrxml reads 1; train it again"),
        ({"features": 3}, "not a whole model"),
        ({"recipe": {}}, "not a whole model"),
        ({"parameters": {"depth": 3}}, "not a whole model"),
        ({"code": [9, 9, 9, 9]}, "this version of torch draws other label codes"),
        ({"seed": 1}, "this version of torch draws other label codes"),
    ],
)
def test_a_model_of_another_version(changes: dict[str, Any], message: str, saved: Path) -> None:
    facts = json.loads((saved / "model.json").read_text())
    (saved / "model.json").write_text(json.dumps(facts | changes))
    with pytest.raises(UserError, match=message):
        hrrxml.load(saved)


def test_what_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in (tmp_path, tmp_path / "nowhere", tmp_path / "file"):
        with pytest.raises(UserError, match=r"not a model: it has no model\.json"):
            hrrxml.load(place)
    for text in ("[]", "{}", "5", "{"):
        (tmp_path / "model.json").write_text(text)
        with pytest.raises(UserError, match=r"model\.json: damaged"):
            hrrxml.load(tmp_path)


# nothing is lost


@pytest.mark.parametrize("number", range(len(FILES)))
def test_a_save_that_fails_leaves_the_old_model(
    number: int, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the first file, at the second, …"""
    before, written = contents(saved), 0
    other = quick().fit(["some text", "more text"], ["a", "b"])

    def limited(write: Callable[..., None]) -> Callable[..., None]:
        def writes(*arguments: Any) -> None:
            nonlocal written
            written += 1
            if written > number:
                raise OSError(28, "No space left on device")
            write(*arguments)

        return writes

    for name in ("write_tensors", "write_text", "write_json"):
        monkeypatch.setattr(storage, name, limited(getattr(storage, name)))
    with pytest.raises(OSError, match="No space left"):
        other.save(saved)
    assert contents(saved) == before
    assert [path.name for path in saved.parent.iterdir()] == ["model"]
    assert len(hrrxml.load(saved).classes_) == 5


KILLED = """
import os, sys, hrrxml
from hrrxml.estimator import storage
clf = hrrxml.HolographicClassifier(epochs=1).fit(["a text", "more text"], ["a", "b"])
storage.write_json = lambda *arguments: os._exit(9)
clf.save(sys.argv[1])
"""


def test_a_killed_save_leaves_the_old_model(saved: Path) -> None:
    before = contents(saved)
    done = subprocess.run([sys.executable, "-c", KILLED, saved], capture_output=True, timeout=120)
    assert done.returncode == 9
    assert contents(saved) == before
    clf = hrrxml.load(saved)
    clf.save(saved)  # removes what the killed process left
    assert [path.name for path in saved.parent.iterdir()] == ["model"]


def test_other_files_are_not_overwritten(
    kitchen: HolographicClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter").write_text("text")
    for place in (tmp_path / "thesis", tmp_path / "thesis" / "chapter"):
        with pytest.raises(InputError, match="exists and is not a model"):
            kitchen.save(place)
    assert (tmp_path / "thesis" / "chapter").read_text() == "text"
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    kitchen.save(".")
    assert sorted(contents(tmp_path / "empty")) == FILES


def test_what_a_user_adds_to_the_folder_stays(kitchen: HolographicClassifier, saved: Path) -> None:
    (saved / "LICENSE").write_text("mine")
    (saved / ".git").mkdir()
    (saved / ".git" / "HEAD").write_text("ref")
    (saved / "latest").symlink_to("LICENSE")
    kitchen.save(saved, dtype="float32")
    assert (saved / "LICENSE").read_text() == "mine"
    assert (saved / ".git" / "HEAD").read_text() == "ref"
    assert (saved / "latest").is_symlink()
    shutil.rmtree(saved)
    quick().fit(np.eye(4), list("abab")).save(saved)
    assert sorted(contents(saved)) == [name for name in FILES if name != "vocabulary.txt"]
