"""The repository's text format: read as a naive loop and scikit-learn read it, or refused."""

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_svmlight_file

from hrrxml.datasets.layouts import sparse_text
from hrrxml.datasets.layouts.sparse_text import Table
from hrrxml.runtime.errors import UserError

Rows = list[tuple[list[int], dict[int, float]]]


def rows_of(table: Table) -> Rows:
    """Labels and features of each point, as Python has them."""
    assert table.features.weights is not None
    found = []
    for i in range(len(table.labels)):
        labels = table.labels.ids[table.labels.offsets[i] : table.labels.offsets[i + 1]].tolist()
        where = slice(int(table.features.offsets[i]), int(table.features.offsets[i + 1]))
        features = table.features.ids[where].tolist()
        assert features == sorted(features)
        values = table.features.weights[where].tolist()
        found.append((labels, dict(zip(features, values, strict=True))))
    return found


def read_naively(text: bytes) -> Rows | None:
    """A loop over lines and fields, written from the format's description; None if refused."""
    first, _, rest = text.partition(b"\n")
    header = first.split()
    if len(header) != 3 or not all(re.fullmatch(rb"\d{1,8}", field) for field in header):
        return None
    points, n_features, n_labels = map(int, header)
    lines = rest.split(b"\n")
    while lines and not lines[-1].strip(b"\r"):
        lines.pop()
    lines = [line.removesuffix(b"\r") for line in lines]
    rows: Rows = []
    for line in lines:
        if line == b"":
            return None
        labels, *fields = line.replace(b"\t", b" ").split(b" ")
        ids = labels.split(b",") if labels else []
        pairs = [field.split(b":") for field in fields if field]
        if not all(re.fullmatch(rb"\d{1,8}", label) for label in ids):
            return None
        if not all(len(pair) == 2 and re.fullmatch(rb"\d{1,8}", pair[0]) for pair in pairs):
            return None
        try:
            values = {int(index): float(value) for index, value in pairs}
        except ValueError:
            return None
        allowed = all(re.fullmatch(rb"[-+.\deE]+", value) for _, value in pairs)
        with np.errstate(over="ignore"):
            finite = all(math.isfinite(np.float32(value)) for value in values.values())
        in_range = all(i < n_features for i in values) and all(int(i) < n_labels for i in ids)
        if not (allowed and finite and in_range and len(values) == len(pairs)):
            return None
        row = sorted({int(label) for label in ids})
        rows.append((row, {i: float(np.float32(values[i])) for i in sorted(values)}))
    return rows if len(rows) == points else None


def check_against_the_naive_loop(text: bytes, path: Path) -> bool:
    """Read both ways: the same points, or both refuse; whether they were read."""
    path.write_bytes(text)
    expected = read_naively(text)
    if expected is None:
        with pytest.raises(UserError, match=rf"{re.escape(str(path))}:\d+: "):
            sparse_text.read(path)
        return False
    assert rows_of(sparse_text.read(path)) == expected
    return True


values = st.one_of(
    st.integers(0, 999).map(str),
    st.floats(0, 1e3, width=32).map(lambda x: f"{x:.6f}"),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.from_regex(r"[0-9]{0,18}\.[0-9]{1,18}", fullmatch=True),
    st.sampled_from(["1.", ".5", "-2", "+3", "1e-05", "2E3", "0.1234567890123456789"]),
)
points = st.tuples(
    st.lists(st.integers(0, 11), max_size=5),
    st.dictionaries(st.integers(0, 29), values, max_size=8),
    st.sampled_from([" ", "  ", "\t"]),
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    rows = draw(st.lists(points, max_size=12))
    lines = [f"{len(rows)} 30 12"]
    for labels, features, space in rows:
        fields = [f"{index}:{value}" for index, value in features.items()]
        lines.append(space.join([",".join(map(str, labels)), *fields]) + ("" if fields else " "))
    end = draw(st.sampled_from(["\n", "\r\n"]))
    return (end.join(lines) + draw(st.sampled_from(["", end, end + end]))).encode()


@given(files(), st.integers(1, 200))
@settings(max_examples=300)
def test_good_files_are_read_as_by_a_naive_loop(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, block: int
) -> None:
    path = tmp_path_factory.getbasetemp() / "good.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_text, "BLOCK", block)  # lines are cut at every possible place
        assert check_against_the_naive_loop(text, path)


GOOD = b"4 30 12\n3,1 4:0.5 17:1.25\n 12:0.1\n0 2:1e-05 3:-2 29:7\n11,2,5 \n"
SAMPLES = [
    b"2 9 9\r\n1 1:1\r\n2 2:2\r\n",
    b"3 1000 50\n49\t999:0.000001 3:123456789.5\n0,1,2 5:.5 4:5.\n \n\n",
    b"1 10 10\n3,3,3 0:0.12345678901234567 1:99999999 2:+1E+2",
]
BYTES = st.sampled_from([bytes([b]) for b in b"0123456789.,: \n\t\r+-eEx_\x00\xff"])


@given(
    st.sampled_from([GOOD, *SAMPLES]),
    st.lists(
        st.tuples(st.sampled_from("idc"), st.integers(0, 10**6), BYTES | st.binary(max_size=3)),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 200),
)
@settings(max_examples=2000)
def test_damaged_files_are_refused_or_read_right(
    tmp_path_factory: pytest.TempPathFactory,
    text: bytes,
    damages: list[tuple[str, int, bytes]],
    block: int,
) -> None:
    """Thousands of files with bytes inserted, deleted and changed; the naive loop decides."""
    for kind, where, new in damages:
        at = where % (len(text) + 1)
        text = text[:at] + (b"" if kind == "d" else new) + text[at + (kind != "i") :]
    path = tmp_path_factory.getbasetemp() / "damaged.txt"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sparse_text, "BLOCK", block)
        check_against_the_naive_loop(text, path)


@given(st.binary(max_size=300))
@settings(max_examples=500)
def test_noise_is_refused(tmp_path_factory: pytest.TempPathFactory, noise: bytes) -> None:
    check_against_the_naive_loop(noise, tmp_path_factory.getbasetemp() / "noise.txt")


def test_sklearn_reads_the_same(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    lines = ["500 1000 300"]
    for _ in range(500):
        features = np.sort(rng.choice(1000, rng.integers(1, 60), replace=False))
        labels = rng.choice(300, rng.integers(1, 6), replace=False)
        fields = [f"{i}:{rng.random():.6f}" for i in features]
        lines.append(" ".join([",".join(map(str, labels)), *fields]))
    path = tmp_path / "data.txt"
    path.write_text("\n".join(lines) + "\n")
    table = sparse_text.read(path)
    matrix, labels = load_svmlight_file(
        str(path), n_features=1000, multilabel=True, zero_based=True, offset=1
    )
    assert table.features.weights is not None
    np.testing.assert_array_equal(table.features.ids.numpy(), matrix.indices)
    np.testing.assert_array_equal(table.features.offsets.numpy(), matrix.indptr)
    np.testing.assert_array_equal(table.features.weights, matrix.data.astype(np.float32))
    ours = [row for row, _ in rows_of(table)]
    assert ours == [sorted(map(int, row)) for row in labels]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("4 30 12\n", "4 30\n", ":1: expected a header of three numbers .* not '4 30"),
        ("4 30 12\n", "5 30 12\n", ":1: the header says 5 points, the file has 4"),
        ("4 30 12\n", "4 29 12\n", ":4: feature 29 is outside 0…28, the range in the header"),
        ("4 30 12\n", "4 30 11\n", ":5: label 11 is outside 0…10, the range in the header"),
        (" 12:0.1\n", "\n", ":3: a blank line"),
        ("12:0.1", "12:0.1 12:3", ":3: feature 12 appears twice"),
        ("12:0.1", "12:nan", ":3: '12:nan' is not a feature:value"),
        ("12:0.1", "12:inf", ":3: '12:inf' is not a feature:value"),
        ("12:0.1", "12:1e39", ":3: '12:1e39' has no finite value"),
        ("12:0.1", "12", ":3: '12' is not a feature:value"),
        ("12:0.1", "12:", ":3: '12:' is not a feature:value"),
        ("12:0.1", "12:.", ":3: '12:.' is not a feature:value"),
        ("12:0.1", "-12:1", ":3: '-12:1' is not a feature:value"),
        ("12:0.1", "012345678:1", ":3: '012345678:1' is not a feature:value"),
        ("3,1 ", "3,,1 ", ":2: '' is not a label"),
        ("3,1 ", "3.0,1 ", ":2: '3.0' is not a label"),
        ("3,1 4", "4", ":2: '4:0.5' is not a label"),
    ],
)
def test_faults_are_named_by_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD.decode()
    path = tmp_path / "train.txt"
    path.write_text(GOOD.decode().replace(old, new))
    with pytest.raises(UserError, match=f"train.txt{message}"):
        sparse_text.read(path)


def test_repeated_labels_count_once_and_order_does_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("1 30 12\n7,3,7 9:2 4:1\n")
    assert rows_of(sparse_text.read(path)) == [([3, 7], {4: 1.0, 9: 2.0})]


def test_a_file_without_line_ends_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sparse_text, "LONGEST_LINE", 1000)
    path = tmp_path / "data.txt"
    path.write_text("1 30 12\n" + "1" * 10**6)
    with pytest.raises(UserError, match=r"data\.txt:2: a line of over 1000 bytes"):
        sparse_text.read(path)
