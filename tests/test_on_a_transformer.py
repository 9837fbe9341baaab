"""The example with a Hugging Face encoder, on a tiny encoder that is made here."""

import os
import re
import subprocess
import sys
from pathlib import Path

from helpers.project import ROOT

MAKE = """
import re, sys
from pathlib import Path
from transformers import BertConfig, BertModel, BertTokenizer

folder, data = map(Path, sys.argv[1:])
words = sorted(set(re.findall(r"\\w+", data.read_text(encoding="utf-8").lower())))
folder.mkdir()
special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
(folder / "vocab.txt").write_text("\\n".join(special + words))
tokenizer = BertTokenizer(str(folder / "vocab.txt"))
tokenizer.save_pretrained(folder)
shape = dict(hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64)
BertModel(BertConfig(vocab_size=len(words) + 5, **shape)).save_pretrained(folder)
"""


def run(*words: object) -> str:
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=offline, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def questions() -> str:
    """The example data of docs/command.md."""
    text = (ROOT / "docs/command.md").read_text(encoding="utf-8")
    return re.findall(r"```text\n(.*?)```", text, re.DOTALL)[0]


def test_it_learns_to_tag(tmp_path: Path) -> None:
    data = tmp_path / "questions.tsv"
    data.write_text(questions() * 4, encoding="utf-8")
    run("-c", MAKE, tmp_path / "encoder", data)
    asked = ("my bread dough does not rise", "how often should I sharpen a knife")
    answers = run("-m", "examples.on_a_transformer", tmp_path / "encoder", data, *asked)
    best = [line.split(": ")[1].split()[0] for line in answers.splitlines()]
    assert best == ["bread", "knives"]
