"""WordNet's format: read right, or refused by file and line."""

from pathlib import Path

import pytest
from conftest import ROOT

from hrrxml.data import layouts
from hrrxml.data.corpus import Corpus
from hrrxml.data.layouts import wordnet as layout
from hrrxml.errors import UserError
from hrrxml.schema import Params

# The licence, three classes and an instance; 00000004 has two words and two hypernyms.
NOUNS = (ROOT / "tests" / "data.noun").read_text()


def read(folder: Path, text: str = NOUNS, **options: object) -> Corpus:
    (folder / "data.noun").write_text(text)
    return layout.read(folder, **{"min_points": 1, "max_share": 1.0, "root": None, **options})


def test_documents_are_glosses_and_labels_hypernym_closures(tmp_path: Path) -> None:
    corpus = read(tmp_path)
    assert corpus.train.texts == ['a living entity; "quoted | bar"', "it moves", "a dog on screen"]
    assert corpus.label_names == ["entity", "living thing", "animal"]
    assert corpus.train.labels.to_csr(3).toarray().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_rare_and_frequent_labels_are_cut(tmp_path: Path) -> None:
    corpus = read(tmp_path, min_points=2, max_share=0.5)
    assert corpus.label_names == ["living thing"]
    assert corpus.train.texts == ["it moves", "a dog on screen"]


def test_root_keeps_what_is_below_it(tmp_path: Path) -> None:
    assert read(tmp_path, root="00000003").train.texts == ["a dog on screen"]
    with pytest.raises(UserError, match="no noun synset 00000009"):
        read(tmp_path, root="00000009")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("03 n 01 entity", "03 n zz entity", ":2: not a WordNet noun"),
        (" | it moves", "", ":4: not a WordNet noun"),
        ("0 002 @ 00000002 n 0000 ~", "0 003 @ 00000002 n 0000 ~", ":4: .*3 pointers announced"),
        ("@ 00000001 n", "@ 00000007 n", "00000002 has an unknown hypernym 00000007"),
        ("living_thing 0 001 @ 00000001", "living_thing 0 001 @ 00000004", "its own hypernym"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in NOUNS
    with pytest.raises(UserError, match=message):
        read(tmp_path, NOUNS.replace(old, new))


@pytest.mark.parametrize("name", ["wordnet", "wordnet-11k", "wordnet-animals"])
def test_the_real_corpus_has_the_registered_counts(
    wordnet: Path, settings: Params, name: str
) -> None:
    corpus = layouts.read(wordnet, settings.datasets[name])
    per_point = len(corpus.train.labels.ids) / len(corpus.train)
    expected = {"wordnet": 3.85, "wordnet-11k": 4.21, "wordnet-animals": 3.90}
    assert round(per_point, 2) == expected[name]


def test_other_counts_stop_the_run(wordnet: Path, settings: Params) -> None:
    entry = settings.datasets["wordnet-animals"]
    changed = entry.layout.model_copy(update={"min_points": 6})
    with pytest.raises(UserError, match=r"labels \d+ instead of 378; .*change its `expect`"):
        layouts.read(wordnet, entry.model_copy(update={"layout": changed}))
