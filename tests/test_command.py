"""The command `hrrxml`: its subcommands, its formats, its streams."""

import io
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from helpers.command import hrrxml, questions, write_tsv

from hrrxml.command import COMMANDS, lines, reading, run

Call = Callable[..., str]
PAN = "my iron skillet has rust"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the kitchen's questions."""
    folder = tmp_path_factory.mktemp("kitchen")
    data = write_tsv(folder / "questions.tsv")
    assert run(["train", str(data), "-o", str(folder / "model")]) == 0
    return folder / "model"


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """Runs a subcommand that must succeed; the result is its standard output."""

    def call(*arguments: object, stdin: bytes = b"") -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capsys.readouterr()
        assert run([str(word) for word in arguments]) == 0
        return capsys.readouterr().out

    return call


def first_tags(answers: str) -> list[str]:
    return [json.loads(line)["tags"][0] for line in answers.splitlines()]


# train


def write_jsonl(path: Path, key: str = "tags") -> Path:
    rows = (json.dumps({"text": text, key: tags}) for text, tags in questions())
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


def write_folder(folder: Path, rows: list[tuple[str, list[str]]]) -> Path:
    folder.mkdir(parents=True)
    texts, labels = zip(*rows, strict=True)
    (folder / "texts.txt").write_text("\n".join(texts) + "\n", encoding="utf-8")
    tags = "\n".join(", ".join(row) for row in labels)
    (folder / "labels.txt").write_text(tags + "\n", encoding="utf-8")
    return folder


def write_sparse(path: Path) -> Path:
    """Label i has feature i; feature 4 says nothing."""
    rows = [f"{i % 4} {i % 4}:1.0 4:{1 + i % 3}.0" for i in range(60)]
    path.write_text("60 5 4\n" + "\n".join(rows) + "\n")
    return path


def test_train_from_json_lines(call: Call, tmp_path: Path) -> None:
    for key in ("tags", "labels"):
        data = write_jsonl(tmp_path / f"{key}.jsonl", key)
        assert "96 texts, 5 tags" in call("train", data, "-o", tmp_path / key, "--epochs", 3)


def test_train_from_standard_input_in_both_formats(call: Call, tmp_path: Path) -> None:
    for data in (write_tsv(tmp_path / "a"), write_jsonl(tmp_path / "b")):
        out = call("train", "-", "-o", tmp_path / "m", "--epochs", 3, stdin=data.read_bytes())
        assert "96 texts, 5 tags" in out


def test_a_folder_with_a_test_part_is_tested_on_it(call: Call, tmp_path: Path) -> None:
    write_folder(tmp_path / "data" / "train", questions()[::2] + questions()[1::4])
    write_folder(tmp_path / "data" / "test", questions()[3::4])
    out = call("train", tmp_path / "data", "-o", tmp_path / "m")
    assert "72 texts, 5 tags" in out
    assert "P@1" in out
    measured = call("evaluate", tmp_path / "m", tmp_path / "data", "--json")
    direct = call("evaluate", tmp_path / "m", tmp_path / "data" / "test", "--json")
    assert measured == direct


def test_a_folder_without_parts(call: Call, tmp_path: Path) -> None:
    data = write_folder(tmp_path / "data", questions())
    assert "P@1" not in call("train", data, "-o", tmp_path / "m", "--epochs", 3)
    assert "P@1" in call("train", data, "-o", tmp_path / "m", "--epochs", 3, "--test", data)


def test_sparse_features_from_end_to_end(call: Call, tmp_path: Path) -> None:
    data, model = write_sparse(tmp_path / "train.txt"), tmp_path / "m"
    call("train", data, "-o", model, "--seed", 1)
    answers = call("predict", model, "--input", data, "-k", 1, "--format", "jsonl").splitlines()
    assert [json.loads(line)["row"] for line in answers] == list(range(1, 61))
    assert first_tags("\n".join(answers)) == [str(i % 4) for i in range(60)]
    assert json.loads(call("evaluate", model, data, "--json"))["P@1"] == 100
    (tmp_path / "two").write_text("2\n3\n")
    tsv = call(
        "predict", model, "--input", data, "--among", tmp_path / "two", "-k", 1, "--format", "tsv"
    )
    assert {line.split("\t")[1] for line in tsv.splitlines()} == {"2", "3"}


def test_a_label_without_examples(call: Call, tmp_path: Path) -> None:
    """The header may promise more labels than the points have."""
    data, model = tmp_path / "train.txt", tmp_path / "m"
    data.write_text("6 2 9\n" + "0 0:1\n1 1:1\n" * 3)
    assert "6 texts, 2 tags" in call("train", data, "-o", model)
    assert call("info", model, "--labels").splitlines() == [str(label) for label in range(9)]
    answers = call("predict", model, "--input", data, "-k", 9, "--format", "jsonl")
    assert set(first_tags(answers)) <= {"0", "1"}


def test_a_tag_with_a_comma(call: Call, tmp_path: Path) -> None:
    data, model = tmp_path / "q.jsonl", tmp_path / "m"
    rows = [{"text": "peppercorns", "tags": ["salt, pepper"]}, {"text": "flour", "tags": ["bread"]}]
    data.write_text("".join(json.dumps(row) + "\n" for row in rows * 5))
    call("train", data, "-o", model)
    assert first_tags(call("predict", model, "peppercorns", "--format", "jsonl")) == [
        "salt, pepper"
    ]
    (tmp_path / "labels").write_text("salt, pepper\n")
    tsv = call("predict", model, "flour", "--among", tmp_path / "labels", "--format", "tsv")
    assert tsv.split("\t")[1] == "salt, pepper"


def test_rare_tags_can_be_dropped(
    call: Call, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    with data.open("a", encoding="utf-8") as file:
        file.write("a lonely text\tlonely\n")
    arguments = ["train", str(data), "-o", str(tmp_path / "m"), "--epochs", "3"]
    assert run([*arguments, "--keep-tags-with", "2"]) == 0
    assert "1 of 6 tags" in capsys.readouterr().err
    assert "lonely" not in call("info", tmp_path / "m", "--labels").splitlines()
    call(*arguments)
    assert "lonely" in call("info", tmp_path / "m", "--labels").splitlines()


def test_the_options_of_train_reach_the_model(call: Call, tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    small = ["--dim", 64, "--hidden", 32, "--epochs", 2, "--seed", 3, "--jobs", 1]
    card = ["--name", "Küche", "--licence", "CC BY-SA 4.0", "--test", data]
    saving = ["--validation", 0.2, "--prune", 0.8]
    call("train", data, "-o", tmp_path / "m", *small, *card, *saving)
    text = (tmp_path / "m" / "README.md").read_text(encoding="utf-8")
    assert "Küche" in text
    assert "CC BY-SA 4.0" in text
    assert "q.tsv" in text
    facts = call("info", tmp_path / "m", "--json")
    assert '"dim": 64' in facts
    assert '"hidden": 32' in facts


def test_float32_doubles_the_file(call: Call, tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    sizes = []
    for option in ([], ["--float32"]):
        call("train", data, "-o", tmp_path / "m", "--epochs", 1, "--dim", 512, *option)
        sizes.append((tmp_path / "m" / "model.safetensors").stat().st_size)
    assert 1.5 * sizes[0] < sizes[1] < 2.5 * sizes[0]


def test_a_model_is_replaced_and_the_same_seed_repeats_it(call: Call, tmp_path: Path) -> None:
    data, model = write_tsv(tmp_path / "q.tsv"), tmp_path / "m"
    call("train", data, "-o", model, "--epochs", 2, "--seed", 5)
    first = (model / "model.safetensors").read_bytes()
    call("train", data, "-o", model, "--epochs", 2, "--seed", 5)
    assert (model / "model.safetensors").read_bytes() == first
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m", "q.tsv"]


# predict


def test_predict_gives_each_text_one_line(call: Call, model: Path) -> None:
    out = call("predict", model, PAN, "-k", 2, "sharpen a blade").splitlines()
    assert out[0].startswith("cast-iron ")
    assert out[1].startswith("knives ")
    assert all(line.count(",") == 1 for line in out)


def test_predict_in_json_lines_is_training_data(call: Call, model: Path, tmp_path: Path) -> None:
    out = call("predict", model, PAN, "custard", "-k", 3, "--format", "jsonl")
    first, second = map(json.loads, out.splitlines())
    assert first["text"] == PAN
    assert first["tags"][0] == "cast-iron"
    assert second["tags"][0] == "crème brûlée"
    assert first["probabilities"] == sorted(first["probabilities"], reverse=True)
    (tmp_path / "more.jsonl").write_text(out, encoding="utf-8")
    assert "P@1" in call("evaluate", model, tmp_path / "more.jsonl")


def test_predict_as_columns(call: Call, model: Path) -> None:
    out = call("predict", model, PAN, "custard", "-k", 2, "--format", "tsv")
    rows = [line.split("\t") for line in out.splitlines()]
    assert [row[0] for row in rows] == ["1", "1", "2", "2"]
    assert rows[0][1] == "cast-iron"
    assert 0 <= float(rows[1][2]) <= float(rows[0][2]) <= 1


def test_a_threshold_is_a_limit_with_and_without_k(call: Call, model: Path) -> None:
    def labels(*options: object) -> list[str]:
        rows = call("predict", model, PAN, "--format", "tsv", *options).splitlines()
        return [row.split("\t")[1] for row in rows]

    assert len(labels("--threshold", 0)) == 5  # all of the model's labels
    assert len(labels("--threshold", 0, "-k", 2)) == 2
    assert labels("--threshold", 1) == []
    assert call("predict", model, PAN, "--threshold", 1) == "\n"  # a line for each text


def test_among_restricts_the_labels(call: Call, model: Path, tmp_path: Path) -> None:
    (tmp_path / "labels").write_text("bread\n\ncrème brûlée\n", encoding="utf-8")
    out = call("predict", model, PAN, "--among", tmp_path / "labels", "--format", "jsonl")
    assert set(json.loads(out)["tags"]) == {"bread", "crème brûlée"}


def test_input_formats_agree(call: Call, model: Path, tmp_path: Path) -> None:
    plain = "".join(f"{text}\n" for text, _ in questions()).encode()
    expected = call("predict", model, stdin=plain)
    assert len(expected.splitlines()) == len(questions())
    for data in (write_tsv(tmp_path / "q.tsv"), write_jsonl(tmp_path / "q.jsonl")):
        assert call("predict", model, "--input", data) == expected
        assert call("predict", model, "--input", "-", stdin=data.read_bytes()) == expected
    windows = b"\xef\xbb\xbf" + plain.replace(b"\n", b"\r\n")
    assert call("predict", model, stdin=windows) == expected
    assert call("predict", model, stdin=plain.removesuffix(b"\n")) == expected


def test_blank_and_strange_texts_have_answers(call: Call, model: Path) -> None:
    strange = f"\n{PAN}\n   \nqwertz\f\u2028asdf\n{'iron ' * 200_000}\n"
    out = call("predict", model, "-k", 1, "--format", "jsonl", stdin=strange.encode())
    assert len(out.splitlines()) == 5
    assert first_tags(out)[1] == "cast-iron"
    assert first_tags(out)[4] == "cast-iron"


def test_no_input_is_no_answer(call: Call, model: Path) -> None:
    assert call("predict", model, stdin=b"") == ""


def test_a_text_may_start_with_a_dash(call: Call, model: Path) -> None:
    assert call("predict", model, "--", "-iron -skillet").startswith("cast-iron")


def test_blocks_hold_whole_lines_whatever_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    content = "".join(f"{'ü' * (i % 7)}\n" for i in range(50)).encode()
    expected = [(i + 1, "ü" * (i % 7)) for i in range(50)]
    for size in (1, 2, 5, 64, 10_000):
        monkeypatch.setattr(lines, "AT_ONCE", size)
        found = [row for block in lines.blocks(io.BytesIO(content), "x") for row in block]
        assert found == expected


# evaluate, explain, neighbours, info


def test_evaluate_prints_percent(call: Call, model: Path, tmp_path: Path) -> None:
    data = write_tsv(tmp_path / "q.tsv")
    metrics = json.loads(call("evaluate", model, data, "--json"))
    assert metrics["P@1"] > 90
    shown = dict(line.rsplit(maxsplit=1) for line in call("evaluate", model, data).splitlines())
    assert float(shown["P@1"]) == pytest.approx(metrics["P@1"], abs=0.01)
    assert "ECE@1" in shown


def test_evaluate_counts_tags_that_the_model_does_not_know(
    call: Call, model: Path, tmp_path: Path
) -> None:
    (tmp_path / "q.tsv").write_text(f"{PAN}\tcast-iron\n{PAN}\tunheard-of\n")
    assert json.loads(call("evaluate", model, tmp_path / "q.tsv", "--json"))["P@1"] == 50


def test_explain_names_the_word(call: Call, model: Path) -> None:
    rows = call("explain", model, "cast-iron", PAN, "-n", 3).splitlines()
    assert len(rows) == 3
    assert rows[0].split()[0] in {"iron", "skillet", "rust"}
    assert float(rows[0].split()[-1]) > 0


def test_neighbours_are_other_labels(call: Call, model: Path) -> None:
    rows = call("neighbours", model, "crème brûlée", "-n", 2).splitlines()
    assert len(rows) == 2
    assert not any("crème" in row for row in rows)


def test_info_describes_and_lists(call: Call, model: Path) -> None:
    assert json.loads(call("info", model, "--json"))
    assert "5" in call("info", model)
    labels = call("info", model, "--labels").splitlines()
    assert sorted(labels) == sorted({tag for _, tags in questions() for tag in tags})


# help and usage


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run([name, "--help"])
    assert f"example:\n  hrrxml {name}" in capsys.readouterr().out


def test_help_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        run(["--help"])
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in COMMANDS)
    with pytest.raises(SystemExit, match="0"):
        run(["--version"])
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["train"],
        ["train", "data"],
        ["train", "data", "-o", "m", "--dim", "0"],
        ["train", "data", "-o", "m", "--validation", "1"],
        ["train", "data", "-o", "m", "--prune", "0.5"],
        ["predict"],
        ["predict", "model", "text", "-k", "none"],
        ["predict", "model", "--threshold", "nan"],
        ["explain", "model", "label"],
        ["explain", "model", "label", "a", "text"],
        ["info", "model", "--jso"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(arguments)
    assert "usage: hrrxml" in capsys.readouterr().err


# a process of its own


ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_saves_utf8_whatever_the_locale(tmp_path: Path) -> None:
    words = ["-o", tmp_path / "m", "--epochs", 2, "--name", "Küche"]
    done = hrrxml("train", write_tsv(tmp_path / "q.tsv"), *words, env=ASCII_ONLY)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Küche" in (tmp_path / "m" / "README.md").read_text(encoding="utf-8")


def test_answers_in_utf8_whatever_the_locale(model: Path) -> None:
    done = hrrxml("predict", model, "crème brûlée custard torch", "--format=jsonl", env=ASCII_ONLY)
    assert json.loads(done.stdout.decode())["text"] == "crème brûlée custard torch"
    assert json.loads(done.stdout.decode())["tags"][0] == "crème brûlée"


def test_a_pipe_of_many_lines(model: Path) -> None:
    text = "".join(f"{text}\n" for text, _ in questions())
    done = hrrxml("predict", model, "-k", 1, input=(text * 100).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().splitlines()
    assert len(answers) == 100 * len(questions())
    assert answers == answers[: len(questions())] * 100


def test_each_line_is_answered_when_it_arrives(model: Path) -> None:
    words = [sys.executable, "-m", "hrrxml", "predict", str(model), "-k", "1"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for text, tag in ((PAN, b"cast-iron"), ("sharpen a blade", b"knives")):
            process.stdin.write(f"{text}\n".encode())
            process.stdin.flush()
            assert process.stdout.readline().startswith(tag)
        process.stdin.close()
        assert process.wait(60) == 0


# pipes and folders


def test_a_pipe_loses_no_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    write_tsv(tmp_path / "questions.tsv")
    rows = (tmp_path / "questions.tsv").read_bytes() * 200  # more than a buffer
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(rows,))
    writer.start()
    data, _ = reading.read(str(tmp_path / "pipe"))
    writer.join()
    assert len(data) == rows.count(b"\n")


def test_an_empty_test_folder_is_not_replaced_by_training_data(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_folder(tmp_path / "data" / "train", questions())
    (tmp_path / "data" / "test").mkdir()
    for name in ("texts.txt", "labels.txt"):
        (tmp_path / "data" / "test" / name).write_text("")
    assert run(["evaluate", str(model), str(tmp_path / "data")]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_model_is_kept_if_its_test_data_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, features = write_tsv(tmp_path / "q.tsv"), tmp_path / "features.txt"
    features.write_text("1 3 2\n0 1:1.0\n")
    kept = tmp_path / "model"
    assert run(["train", str(data), "-o", str(kept), "--test", str(features)]) == 1
    assert "features, but the model takes texts" in capsys.readouterr().err
    assert run(["predict", str(kept), PAN]) == 0
