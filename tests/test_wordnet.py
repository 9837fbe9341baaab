"""WordNet's format: read right, or refused by file and line."""

from pathlib import Path

import pytest
from helpers.network import fetch
from helpers.project import ROOT

from hrrxml.config.schema import Params
from hrrxml.datasets import layouts
from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import wordnet as layout
from hrrxml.runtime.errors import UserError

# The licence, three classes and an instance; 00000004 has two words and two hypernyms.
NOUNS = (ROOT / "tests" / "data.noun").read_text()


def read(folder: Path, text: str = NOUNS, **options: object) -> Corpus:
    (folder / "data.noun").write_text(text)
    cuts = {"every_synset": False, "min_points": 1, "max_share": 1.0, "root": None}
    return layout.read(folder, **{**cuts, **options})


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
        ("0 002 @ 00000002 n 0000 ~", "0 003 @ 00000002 n 0000 ~", ":4: .*3 pointers expected"),
        ("@ 00000001 n", "@ 00000007 n", "00000002 has an unknown hypernym 00000007"),
        ("living_thing 0 001 @ 00000001", "living_thing 0 001 @ 00000004", "its own hypernym"),
    ],
)
def test_malformed_lines_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in NOUNS
    with pytest.raises(UserError, match=message):
        read(tmp_path, NOUNS.replace(old, new))


# Offsets repeat from file to file. The verbs have frames after their pointers; the head
# adjective points to its satellite as the satellite does to it.
OTHERS = {
    "data.verb": """\
00000001 30 v 01 restrain 0 001 @ 00000002 v 0000 02 + 08 00 + 11 00 | hold back: "wait"
00000002 30 v 01 inhibit 0 000 01 + 08 00 | limit; "stop it"- Poe; "stop it"
""",
    "data.adj": """\
00000001 00 a 01 able(p) 0 001 & 00000002 a 0000 | having means
00000002 00 s 01 capable 0 001 & 00000001 a 0000 | as in "a capable crew"
""",
    "data.adv": "00000001 02 r 01 well 0 000 | in a good way; ",
}


def test_every_synset_labels_its_definition_and_examples(tmp_path: Path) -> None:
    for name, text in OTHERS.items():
        (tmp_path / name).write_text(text)
    corpus = read(tmp_path, every_synset=True)
    assert corpus.train.texts is not None
    assert corpus.label_names is not None
    rows = corpus.train.labels.to_csr(corpus.n_labels).toarray()
    found = [
        (text, [name for name, has in zip(corpus.label_names, row, strict=True) if has])
        for text, row in zip(corpus.train.texts, rows, strict=True)
    ]
    assert found == [
        ("that which is", ["entity"]),
        ("a living entity", ["entity", "living thing"]),
        ("quoted | bar", ["entity", "living thing"]),
        ("it moves", ["entity", "living thing", "animal"]),
        ("a dog on screen", ["entity", "living thing", "animal", "Lassie"]),
        ("hold back", ["restrain", "inhibit"]),
        ("wait", ["restrain", "inhibit"]),
        ("limit", ["inhibit"]),
        ("stop it", ["inhibit"]),
        ("having means", ["able(p)"]),
        ('as in "a capable crew"', ["able(p)", "capable"]),
        ("in a good way;", ["well"]),
    ]


def test_a_verb_without_its_frames_is_named(tmp_path: Path) -> None:
    for name, text in OTHERS.items():
        (tmp_path / name).write_text(text.replace("01 + 08 00", "02 + 08 00"))
    with pytest.raises(UserError, match=r"data\.verb:2: not a WordNet verb"):
        read(tmp_path, every_synset=True)


def test_every_synset_needs_all_four_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"expected one file data\.verb, found none"):
        read(tmp_path, every_synset=True)


@pytest.mark.parametrize("name", ["wordnet", "wordnet-11k", "wordnet-animals"])
def test_the_real_corpus_has_the_registered_counts(
    wordnet: Path, settings: Params, name: str
) -> None:
    corpus = layouts.read(wordnet, settings.datasets[name])
    per_point = len(corpus.train.labels.ids) / len(corpus.train)
    expected = {"wordnet": 3.85, "wordnet-11k": 4.21, "wordnet-animals": 3.90}
    assert round(per_point, 2) == expected[name]


def test_the_real_corpus_of_every_synset(settings: Params, tmp_path: Path) -> None:
    """It needs more of the archive's files than the others; the counts are registered, too."""
    entry = settings.datasets["wordnet-118k"]
    fetch(entry, tmp_path / "all")
    corpus = layouts.read(tmp_path / "all", entry)
    assert corpus.label_names is not None
    assert {"dog", "restrain", "capable", "well"} <= set(corpus.label_names)
    assert "entity" not in corpus.label_names  # with 14 more, above max_share


def test_other_counts_stop_the_run(wordnet: Path, settings: Params) -> None:
    entry = settings.datasets["wordnet-animals"]
    changed = entry.layout.model_copy(update={"min_points": 6})
    with pytest.raises(UserError, match=r"labels \d+ instead of 378; .*change its `expect`"):
        layouts.read(wordnet, entry.model_copy(update={"layout": changed}))
