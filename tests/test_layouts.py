"""Every layout gives the same corpus for the same data, or names the file and what is wrong."""

import io
import re
from pathlib import Path

import numpy as np
import pytest
from helpers.project import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix, save_npz

from hrrxml.config.schema import Dataset, Expected, Params, RepositoryLayout
from hrrxml.data.bags import Bags
from hrrxml.datasets import layouts
from hrrxml.datasets.corpus import Corpus
from hrrxml.datasets.layouts import folder, label_matrix, pecos, repository, wordnet
from hrrxml.datasets.layouts.lines import lines
from hrrxml.runtime.errors import UserError
from papers.published import PUBLISHED

DATA = "4 30 12\n3,1 4:0.5 17:1.25\n 12:0.1\n0 2:1 3:2 29:7\n11,2,5 1:1\n"
TEXTS = ["red sky\x0cat night", "blue\u2028bird", "", "green grass"]
NAMES = ["bird", "grass", "sky"]
LABELS = [[2], [0, 2], [], [1]]


def rows(bags: Bags) -> list[list[int]]:
    return [part.tolist() for part in bags.ids.tensor_split(bags.offsets[1:-1])]


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())


def write_matrix(path: Path, labels: list[list[int]], width: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    save_npz(path, Bags.from_lists(labels).to_csr(width))


# The repository's layout


def test_train_and_test_files(tmp_path: Path) -> None:
    write(tmp_path / "Set/set_train.txt", DATA)
    write(tmp_path / "Set/set_test.txt", "1 29 12\n7 28:1\n")  # a feature fewer, as Wiki10-31K
    corpus = repository.read(tmp_path, split_column=None)
    assert (corpus.n_features, corpus.n_labels) == (30, 12)
    assert rows(corpus.train.labels) == [[1, 3], [], [0], [2, 5, 11]]
    assert corpus.test is not None
    assert rows(corpus.test.labels) == [[7]]


def test_one_file_and_a_column_of_splits(tmp_path: Path) -> None:
    write(tmp_path / "Set/Set_data.txt", DATA)
    write(tmp_path / "Set/set_trSplit.txt", "4 1\n2 3\n\n")
    write(tmp_path / "Set/set_tstSplit.txt", "1 2\r\n3 4\r\n")
    first, second = (repository.read(tmp_path, split_column=column) for column in (0, 1))
    assert first.test is not None
    assert second.test is not None
    assert rows(first.train.labels) == [[2, 5, 11], []]  # in the file's order, counted from 1
    assert rows(first.test.labels) == [[1, 3], [0]]
    assert rows(second.train.labels) == [[1, 3], [0]]
    assert rows(second.test.labels) == [[], [2, 5, 11]]
    with pytest.raises(UserError, match=r"trSplit.txt:1: no column 2 of 2; change"):
        repository.read(tmp_path, split_column=2)
    with pytest.raises(UserError, match=r"set layout.split_column to split it"):
        repository.read(tmp_path, split_column=None)


@pytest.mark.parametrize(
    ("train", "test", "message"),
    [
        ("1\n5\n", "2\n", "trSplit.txt:2: '5' is not a point from 1 to 4"),
        ("0\n1\n", "2\n", "trSplit.txt:1: '0' is not a point from 1 to 4"),
        ("1\nx\n", "2\n", "trSplit.txt:2: 'x' is not a point"),
        ("1\n-2\n", "2\n", "trSplit.txt:2: '-2' is not a point"),
        ("1\n³\n", "2\n", "trSplit.txt:2: '³' is not a point"),
        ("1\n2\n1\n", "3\n", "trSplit.txt:3: point 1 is also on line 1"),
        ("1\n2\n", "3\n2\n", "tstSplit.txt:2: point 2 is in the train split too"),
    ],
)
def test_wrong_splits_are_named_by_line(
    tmp_path: Path, train: str, test: str, message: str
) -> None:
    write(tmp_path / "Set_data.txt", DATA)
    write(tmp_path / "set_trSplit.txt", train)
    write(tmp_path / "set_tstSplit.txt", test)
    with pytest.raises(UserError, match=message):
        repository.read(tmp_path, split_column=0)


def test_missing_and_ambiguous_files(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="missing; `dvc repro download` makes it"):
        repository.read(tmp_path / "none", split_column=0)
    write(tmp_path / "a_train.txt", DATA)
    with pytest.raises(UserError, match=r"expected one file \*test.txt, found none"):
        repository.read(tmp_path, split_column=0)
    write(tmp_path / "b_train.txt", DATA)
    with pytest.raises(UserError, match=r"found a_train.txt, b_train.txt"):
        repository.read(tmp_path, split_column=0)


# PECOS, and one's own folder


def check_texts(corpus: Corpus, names: list[str] | None) -> None:
    assert corpus.train.texts == TEXTS
    assert rows(corpus.train.labels) == LABELS
    assert (corpus.n_labels, corpus.label_names) == (3, names)


def make_pecos(path: Path) -> Path:
    base = path / "xmc-base" / "set"
    for part in ("trn", "tst"):
        write(base / f"X.{part}.txt", "\n".join(TEXTS) + "\n")
        write_matrix(base / f"Y.{part}.npz", LABELS, 3)
    write(base / "output-items.txt", "\n".join(NAMES) + "\n")
    return base


def test_pecos_files_become_a_corpus(tmp_path: Path) -> None:
    """Line breaks within texts are no ends of lines, and a blank text is a text."""
    make_pecos(tmp_path)
    corpus = pecos.read(tmp_path)
    check_texts(corpus, NAMES)
    assert corpus.test is not None
    assert corpus.test.texts == TEXTS


def test_pecos_files_that_do_not_fit_together(tmp_path: Path) -> None:
    base = make_pecos(tmp_path)
    write(base / "X.tst.txt", "only one\n")
    with pytest.raises(UserError, match=r"X.tst.txt: 1 texts, but Y.tst.npz has 4 rows"):
        pecos.read(tmp_path)
    write(base / "output-items.txt", "bird\nsky\n")
    with pytest.raises(UserError, match=r"Y.trn.npz: 3 labels, but output-items.txt names 2"):
        pecos.read(tmp_path)


def test_my_folder_with_names(tmp_path: Path) -> None:
    write(tmp_path / "texts.txt", "\n".join(TEXTS) + "\n")
    write(tmp_path / "labels.txt", "sky\nsky , bird,sky\n\ngrass")
    corpus = folder.read(tmp_path)
    check_texts(corpus, NAMES)
    assert corpus.test is None


@pytest.mark.parametrize("kind", ["npz", "txt"])
def test_my_folder_with_its_own_split(tmp_path: Path, kind: str) -> None:
    for part in ("train", "test"):
        write(tmp_path / part / "texts.txt", "\n".join(TEXTS))
        if kind == "npz":
            write_matrix(tmp_path / part / "labels.npz", LABELS, 3)
        else:
            write(tmp_path / part / "labels.txt", "sky\nbird,sky\n\ngrass\n")
    corpus = folder.read(tmp_path)
    check_texts(corpus, NAMES if kind == "txt" else None)
    assert corpus.test is not None
    assert rows(corpus.test.labels) == LABELS


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("labels.txt", "sky\nsky,,bird\n\ngrass\n", "labels.txt:2: a comma without a label"),
        ("labels.txt", "sky\nbird\n\n", r"texts.txt: 4 texts, but 3 lines of labels"),
        ("labels.txt", "\n\n\n\n", "labels.txt: the file has no labels"),
        ("labels.txt", None, "labels.txt: missing; a folder has texts.txt, and labels.txt or"),
        ("texts.txt", None, "texts.txt: missing"),
    ],
)
def test_my_folder_with_mistakes(tmp_path: Path, name: str, text: str | None, message: str) -> None:
    write(tmp_path / "texts.txt", "\n".join(TEXTS))
    write(tmp_path / "labels.txt", "sky\nbird\n\ngrass\n")
    (tmp_path / name).unlink()
    if text is not None:
        write(tmp_path / name, text)
    with pytest.raises(UserError, match=message):
        folder.read(tmp_path)


def test_lines_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "texts.txt").write_bytes(b"good\n\xff\xfe\n")
    with pytest.raises(UserError, match=r"texts.txt:2: not UTF-8"):
        lines(tmp_path / "texts.txt")
    (tmp_path / "texts.txt").write_bytes(b"\xef\xbb\xbfmarked\r\n")
    assert lines(tmp_path / "texts.txt") == ["marked"]
    (tmp_path / "texts.txt").write_bytes(b"")
    assert lines(tmp_path / "texts.txt") == []


# Label matrices


def test_matrices_are_made_canonical(tmp_path: Path) -> None:
    """Repeated entries count once, explicit zeros not at all."""
    matrix = csr_matrix((np.ones(4), [2, 0, 2, 1], [0, 3, 4]), shape=(2, 3))
    matrix.data[3] = 0
    save_npz(tmp_path / "y.npz", matrix)
    labels, width = label_matrix.read(tmp_path / "y.npz")
    assert (rows(labels), width) == ([[0, 2], []], 3)
    matrix.data[1] = np.nan
    save_npz(tmp_path / "y.npz", matrix)
    with pytest.raises(UserError, match="row 1 has a label whose value is not a finite number"):
        label_matrix.read(tmp_path / "y.npz")


def test_pickles_are_never_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "y.npz", format=np.array(["csr"], dtype=object), data=np.array([{}]))
    with pytest.raises(UserError, match="not a sparse matrix saved by scipy"):
        label_matrix.read(tmp_path / "y.npz")


# Expectations and the registry


def entry(**expect: object) -> Dataset:
    return Dataset.model_validate(
        {
            "sources": [],
            "layout": {"kind": "pecos"},
            "expect": expect,
            "propensity": {"a": 0.55, "b": 1.5},
        }
    )


@pytest.mark.parametrize(
    ("expect", "message"),
    [
        ({"points": [4, 4], "labels": 3, "per_point": 1.0}, None),
        ({"points": [4, 4], "labels": 4}, "labels 3 instead of 4"),
        ({"points": [4, 5]}, r"points \[4, 4\] instead of \[4, 5\]"),
        ({"points": [8]}, r"points \[4, 4\] instead of \[8\]"),
        ({"per_point": 1.02}, "per_point 1.0 instead of 1.02"),
    ],
)
def test_other_statistics_stop_the_run(
    tmp_path: Path, expect: dict[str, object], message: str | None
) -> None:
    make_pecos(tmp_path)
    if message is None:
        layouts.read(tmp_path, entry(**expect))
        return
    with pytest.raises(UserError, match=f"{message}; use the expected version"):
        layouts.read(tmp_path, entry(**expect))


def test_a_dataset_without_labels_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "train.txt", "1 3 0\n 1:1\n")
    write(tmp_path / "test.txt", "1 3 0\n 1:1\n")
    nothing = entry().model_copy(
        update={"layout": RepositoryLayout(kind="repository", split_column=None)}
    )
    with pytest.raises(UserError, match="the dataset has no labels"):
        layouts.read(tmp_path, nothing)


def test_the_registry_agrees_with_table_6(settings: Params) -> None:
    for name, published in PUBLISHED["table6"].items():
        expect = settings.datasets[name].expect
        assert (expect.features, expect.labels) == (published["features"], published["labels"])
        if expect.per_point is not None:
            assert expect.per_point == pytest.approx(published["labels_per_point"], abs=0.011)
    glas = {"amazoncat-13k", "wikilshtc-325k", "amazon-670k", "delicious-200k", "wikipedia-500k"}
    texts = {"amazoncat-12k", "amazoncat-13k-text", "eurlex-4k-text", "wiki10-31k-text"}
    assert glas | texts <= set(settings.datasets)
    papers = {name: dataset.paper for name, dataset in settings.datasets.items() if dataset.paper}
    assert set(PUBLISHED["table6"]) <= set(papers)
    assert (papers["amazon-670k"].dim, papers["amazon-670k"].batch_size) == (3000, 16)
    assert settings.datasets["amazon-670k"].propensity.model_dump() == {"a": 0.6, "b": 2.6}


# Damage: thousands of files with bytes changed, cut or inserted

DAMAGE = st.lists(
    st.tuples(st.sampled_from("idc"), st.integers(0, 10**6), st.binary(min_size=1, max_size=3)),
    min_size=1,
    max_size=4,
)


def damaged(data: bytes, damages: list[tuple[str, int, bytes]]) -> bytes:
    for kind, where, new in damages:
        at = where % (len(data) + 1)
        data = data[:at] + (b"" if kind == "d" else new) + data[at + (kind != "i") :]
    return data


def good_matrix() -> bytes:
    buffer = io.BytesIO()
    save_npz(buffer, Bags.from_lists(LABELS).to_csr(3))
    return buffer.getvalue()


MATRIX = good_matrix()


@given(DAMAGE)
@settings(max_examples=600)
def test_damaged_matrices(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[str, int, bytes]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(damaged(MATRIX, damages))
    try:
        labels, width = label_matrix.read(path)
    except UserError as error:
        assert str(path) in str(error)  # noqa: PT017
        return
    # Its contents carry checksums: what is read is what was written.
    assert (rows(labels), width) == (LABELS, 3)


@given(DAMAGE)
@settings(max_examples=600)
def test_damaged_splits(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[str, int, bytes]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged_trSplit.txt"
    path.write_bytes(damaged(b"3 1\n1 2\n4 3\n", damages))
    try:
        found = repository.read_column(path, 0, points=4)
    except UserError as error:
        assert re.search(rf"{path}:\d+: ", str(error))  # noqa: PT017
        return
    text = path.read_bytes().decode("utf-8-sig")
    fields = [line.split()[0] for line in text.split("\n") if line.split()]
    assert found == [int(field) - 1 for field in fields]
    assert len(set(found)) == len(found)
    assert set(found) <= {0, 1, 2, 3}


@given(DAMAGE, DAMAGE)
@settings(max_examples=600)
def test_damaged_folders(
    tmp_path_factory: pytest.TempPathFactory,
    of_texts: list[tuple[str, int, bytes]],
    of_labels: list[tuple[str, int, bytes]],
) -> None:
    path = tmp_path_factory.getbasetemp() / "mine"
    path.mkdir(exist_ok=True)
    (path / "texts.txt").write_bytes(damaged("\n".join(TEXTS).encode(), of_texts))
    (path / "labels.txt").write_bytes(damaged(b"sky\nbird,sky\n\ngrass\n", of_labels))
    try:
        corpus = folder.read(path)
    except UserError as error:
        assert str(path) in str(error)  # noqa: PT017
        return
    assert corpus.train.texts is not None
    assert corpus.label_names is not None
    assert len(corpus.train.texts) == len(corpus.train.labels)
    # Read again the simplest way.
    text = (path / "labels.txt").read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    expected = [
        sorted({name.strip() for name in line.split(",")} - {""})
        for line in text.removesuffix("\n").split("\n")
    ]
    names = [[corpus.label_names[i] for i in row] for row in rows(corpus.train.labels)]
    assert names == expected


@given(DAMAGE)
@settings(max_examples=600)
def test_damaged_wordnet(
    tmp_path_factory: pytest.TempPathFactory, damages: list[tuple[str, int, bytes]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "wn"
    path.mkdir(exist_ok=True)
    nouns = (ROOT / "tests" / "data.noun").read_bytes()
    (path / "data.noun").write_bytes(damaged(nouns, damages))
    try:
        corpus = wordnet.read(path, every_synset=False, min_points=1, max_share=1.0, root=None)
    except UserError as error:
        assert str(path) in str(error)  # noqa: PT017
        return
    assert corpus.train.texts is not None
    assert len(corpus.train.texts) == len(corpus.train.labels) <= 5


def test_expected_is_optional() -> None:
    assert Expected().model_dump(exclude_none=True) == {}
