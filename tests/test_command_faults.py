"""What the command `hrrxml` says to a mistake: one line, and no traceback."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import hrrxml, write_tsv

from hrrxml.command import run

Refuse = Callable[..., str]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kitchen")
    data = write_tsv(folder / "questions.tsv")
    assert run(["train", str(data), "-o", str(folder / "model"), "--epochs", "3"]) == 0
    return folder / "model"


@pytest.fixture(scope="module")
def features_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("features")
    rows = "".join(f"{i % 2} {i % 2}:1.0 2:0.5\n" for i in range(40))
    (folder / "data.txt").write_text(f"40 3 2\n{rows}")
    arguments = ["train", str(folder / "data.txt"), "-o", str(folder / "model"), "--epochs", "2"]
    assert run(arguments) == 0
    return folder / "model"


@pytest.fixture
def refuse(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Refuse:
    """Runs a subcommand that must fail with 1 and one line, which is the result."""

    def refuse(*arguments: object, stdin: bytes = b"") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        assert run([str(word) for word in arguments]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.startswith("error: ")
        assert captured.err.count("\n") == 1
        return captured.err

    return refuse


# data


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no texts"),
        (b"\n\n", "no texts"),
        (b"some text\t\nmore text\t\n", "no tags"),
        (b"some text\ta\nmore text\ta\n", "only one tag"),
        (b"!\ta\n?\tb\n", "no text has a word, so there is nothing to learn from"),
        (b"a text\ta\nno tab here\n", ":2: no tab"),
        (b"a\ttext\tb\n", ":1: 2 tabs"),
        (b"a text\ta,,b\n", ":1: a comma without a tag"),
        (b"a text\ta\n\nb\xff text\tb\n", ":3: not UTF-8 (byte 2"),
        (b'{"text": "a", "tags": ["x"]}\n{"text": "b", "tags": ["x"\n', ":2: not JSON"),
        (b'{"text": "a", "tags": ["x"]}\n[1]\n', ":2: not an object"),
        (b'{"text": "a"}\n', ':1: needs "tags"'),
        (b'{"text": "a", "tags": "x"}\n', ':1: needs "tags"'),
        (b'{"text": "a", "tags": [1]}\n', ':1: needs "tags"'),
        (b'{"text": 1, "tags": []}\n', ':1: needs "text"'),
        (b'{"text": "a\\ud800", "tags": ["x"]}\n', ":1: "),
        (b'{"text": "a", "tags": [" "]}\n', ":1: a tag is empty"),
        (b'{"text": ' + b"[" * 100_000 + b"\n", ":1: not JSON"),
        (b"2 3 4\n0 0:1\n", ":1: the header says 2 points"),
        (b"1 3 4\n9 0:1\n", ":2: label 9"),
        (b"1 3 4\n1 0:nan\n", ":2: "),
    ],
)
def test_data_that_cannot_be_learned_from(
    content: bytes, message: str, refuse: Refuse, tmp_path: Path
) -> None:
    data = tmp_path / "data.txt"
    data.write_bytes(content)
    assert f"{data}" in refuse("train", data, "-o", tmp_path / "m")
    assert message in refuse("train", data, "-o", tmp_path / "m")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.txt"]


def test_standard_input_is_named(refuse: Refuse, tmp_path: Path) -> None:
    message = refuse("train", "-", "-o", tmp_path / "m", stdin=b"a\tx\nb\n")
    assert "standard input:2: no tab" in message


def test_a_json_file_of_one_array(refuse: Refuse, tmp_path: Path) -> None:
    (tmp_path / "data.json").write_text('[{"text": "a", "tags": ["x"]}]\n')
    message = refuse("train", tmp_path / "data.json", "-o", tmp_path / "m")
    assert ":1: not an object; a line is" in message


def test_missing_data(refuse: Refuse, model: Path, tmp_path: Path) -> None:
    missing = tmp_path / "nothing.tsv"
    for arguments in (
        ["train", missing, "-o", tmp_path / "m"],
        ["evaluate", model, missing],
        ["predict", model, "--input", missing],
        ["predict", model, "text", "--among", missing],
    ):
        assert f"{missing}: No such file" in refuse(*arguments)


def test_a_folder_without_texts(refuse: Refuse, model: Path, tmp_path: Path) -> None:
    assert "texts.txt: missing" in refuse("train", tmp_path, "-o", tmp_path.parent / "m")
    assert "give a file" in refuse("predict", model, "--input", tmp_path)


def test_too_few_examples_of_every_tag(refuse: Refuse, tmp_path: Path) -> None:
    (tmp_path / "q.tsv").write_text("a text\ta\nb text\tb\n")
    arguments = ["train", str(tmp_path / "q.tsv"), "-o", str(tmp_path / "m")]
    assert run([*arguments, "--keep-tags-with", "2"]) == 1


def test_a_line_without_an_end_is_refused(
    refuse: Refuse, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hrrxml.command.lines.LONGEST", 2**20)
    assert "give a text file" in refuse("predict", model, stdin=bytes(2**22))


# models


@pytest.mark.parametrize("command", ["predict", "evaluate", "explain", "neighbours", "info"])
def test_no_model(command: str, refuse: Refuse, tmp_path: Path) -> None:
    rest = {
        "predict": ["text"],
        "evaluate": [write_tsv(tmp_path / "q.tsv")],
        "explain": ["bread", "text"],
        "neighbours": ["bread"],
        "info": [],
    }
    assert "nowhere" in refuse(command, tmp_path / "nowhere", *rest[command])


def test_every_file_of_a_model_cut_short(refuse: Refuse, model: Path, tmp_path: Path) -> None:
    names = ("model.json", "model.safetensors", "vocabulary.txt", "labels.txt")
    for number, name in enumerate(names):
        broken = tmp_path / str(number)
        shutil.copytree(model, broken)
        content = (broken / name).read_bytes()
        (broken / name).write_bytes(content[: len(content) // 2])
        assert str(broken) in refuse("predict", broken, "text")
        (broken / name).unlink()
        assert name in refuse("predict", broken, "text")


def test_a_model_of_another_version(refuse: Refuse, model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "m")
    about = json.loads((tmp_path / "m" / "model.json").read_text())
    about["format"] = 999
    (tmp_path / "m" / "model.json").write_text(json.dumps(about))
    assert "a model of format 999" in refuse("info", tmp_path / "m")


def test_unknown_labels_have_suggestions(refuse: Refuse, model: Path, tmp_path: Path) -> None:
    (tmp_path / "labels").write_text("bread\nCast-Irons\n")
    message = refuse("predict", model, "text", "--among", tmp_path / "labels")
    assert "labels:2: the model has no label 'Cast-Irons'; did you mean 'cast-iron'?" in message
    assert "did you mean 'knives'?" in refuse("explain", model, "knifes", "text")
    assert "`hrrxml info MODEL --labels` lists its 5" in refuse("neighbours", model, "x" * 30)
    (tmp_path / "labels").write_text("\n")
    assert "no labels" in refuse("predict", model, "text", "--among", tmp_path / "labels")


def test_features_that_are_not_the_models(
    refuse: Refuse, model: Path, features_model: Path, tmp_path: Path
) -> None:
    wide = tmp_path / "wide.txt"
    wide.write_text("1 4 2\n0 0:1\n")
    texts = write_tsv(tmp_path / "q.tsv")
    for command in (["evaluate", features_model], ["predict", features_model, "--input"]):
        assert "4 features, but the model takes 3" in refuse(*command, wide)
        assert "texts, but the model takes 3 features" in refuse(*command, texts)
    for command in (["evaluate", model], ["predict", model, "--input"]):
        assert "features, but the model takes texts" in refuse(*command, wide)
    assert "the model takes 3 features" in refuse("predict", features_model, "text")
    assert "the model takes 3 features" in refuse("explain", features_model, "0", "text")


def test_labels_that_are_not_the_models(
    refuse: Refuse, features_model: Path, tmp_path: Path
) -> None:
    (tmp_path / "more.txt").write_text("1 3 5\n4 0:1\n")
    assert "5 labels" in refuse("evaluate", features_model, tmp_path / "more.txt")


# the place to write to


def test_other_folders_are_not_replaced(refuse: Refuse, tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    other = tmp_path / "other"
    other.mkdir()
    (other / "thesis").touch()
    assert "holds no model" in refuse("train", data, "-o", other)
    assert "holds no model" in refuse("train", data, "-o", data)
    assert "would be replaced" in refuse("train", data, "-o", tmp_path, "--force")
    assert "would be replaced" in refuse("train", data, "-o", os.getcwd(), "--force")
    assert (other / "thesis").exists()
    assert run(["train", str(data), "-o", str(other), "--force", "--epochs", "1"]) == 0
    assert (other / "model.json").exists()


def test_an_empty_folder_may_be_filled(tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    (tmp_path / "m").mkdir()
    assert run(["train", str(data), "-o", str(tmp_path / "m"), "--epochs", "1"]) == 0


def test_a_place_that_cannot_be_written(
    refuse: Refuse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    assert "cannot be written to" in refuse("train", data, "-o", data / "m")
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # root may write anywhere
    assert "cannot be written to" in refuse("train", data, "-o", tmp_path / "m")


def test_a_full_disk_keeps_the_old_model(model: Path, tmp_path: Path) -> None:
    shutil.copytree(model, tmp_path / "m")
    before = {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()}
    data = write_tsv(tmp_path / "q.tsv")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))"
    words = ["train", str(data), "-o", str(tmp_path / "m"), "--epochs", "1", "--hidden", "64"]
    code = f"{limit}\nfrom hrrxml.command import run\nimport sys\nsys.exit(run({words!r}))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert {path.name: path.read_bytes() for path in (tmp_path / "m").iterdir()} == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m", "q.tsv"]


# processes


SAY_WHEN_TRAINING = """
import signal
import sys
from hrrxml.command import run
from hrrxml.training import loop
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
old = loop.Batches.draw
def draw(*arguments):
    print("begun", flush=True)
    return old(*arguments)
loop.Batches.draw = draw
sys.exit(run(sys.argv[1:]))
"""


def test_an_interrupted_training_leaves_nothing(tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    words = ["train", str(data), "-o", "m", "--epochs", "10000", "--validation", "0"]
    with subprocess.Popen(
        [sys.executable, "-c", SAY_WHEN_TRAINING, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["q.tsv"]


def test_quiet_when_the_reader_goes_away(model: Path) -> None:
    words = [sys.executable, "-m", "hrrxml", "predict", str(model)]
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"iron\n")
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b"iron\n")
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_a_full_standard_output_is_an_error(model: Path) -> None:
    with open("/dev/full", "wb") as full:
        words = [sys.executable, "-m", "hrrxml", "info", str(model)]
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, timeout=120)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: standard output: No space left")
    assert done.stderr.count(b"\n") == 1


def test_words_of_the_command_line_that_are_no_text(model: Path) -> None:
    words = [sys.executable, "-m", "hrrxml", "predict", str(model), b"caf\xe9"]
    done = subprocess.run(words, capture_output=True, timeout=120)
    assert done.returncode == 1
    assert b"not UTF-8" in done.stderr


def test_no_progress_where_nobody_looks(model: Path, tmp_path: Path) -> None:
    done = hrrxml("train", write_tsv(tmp_path / "q.tsv"), "-o", tmp_path / "m", "--epochs", 2)
    assert (done.returncode, done.stderr) == (0, b"")
