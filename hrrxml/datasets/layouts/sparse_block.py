"""Parse lines such as `17,208 4:0.5 90:1.25` to arrays, without a loop over lines or fields.

Every byte that is not a digit is a mark. Between two marks is a run of digits, which may be
empty. All runs are parsed at once. The marks around a run tell what it means.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NEWLINE, SPACE, COMMA, COLON, POINT = b"\n ,:."
PLAIN = b"0123456789\n ,:."
UNUSUAL = re.compile(rb":([^\n ,:]*[^\n ,:0-9.][^\n ,:]*)")  # a value such as 1e-05 or -2
ID = re.compile(rb"[0-9]{1,8}")
NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

POWERS = 10.0 ** np.arange(9)

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Points with sorted features and sorted labels."""

    features: NDArray[np.int32]
    values: NDArray[np.float32]
    feature_counts: Integers  # one per point
    labels: NDArray[np.int32]
    label_counts: Integers


def parse(lines: bytes) -> Block | None:
    """Parse lines that each end with a newline. Returns None if a line is not valid."""
    separated = _separate_unusual(lines)
    runs = _Runs.find(separated[0]) if separated else None
    if separated is None or runs is None:
        return None
    feature = np.flatnonzero(runs.after == COLON)
    is_label = (runs.before == NEWLINE) | (runs.before == COMMA)
    label = np.flatnonzero(is_label & (runs.lengths > 0))
    values = _values(runs, feature, unusual=separated[1])
    too_long = np.concatenate([runs.lengths[feature], runs.lengths[label]]).max(initial=0) > 8
    if values is None or too_long:
        return None
    line_ends = np.flatnonzero(runs.after == NEWLINE)
    counts = _per_line(feature, line_ends)
    features = _sorted_features(runs.numbers[feature].astype(np.int32), values, counts)
    if features is None:
        return None
    labels = runs.numbers[label].astype(np.int32)
    return Block(*features, counts, *_sorted_labels(labels, _per_line(label, line_ends)))


def _per_line(runs: Integers, line_ends: Integers) -> Integers:
    """The number of the given runs on each line."""
    return np.diff(np.searchsorted(runs, line_ends, side="right"), prepend=0)


def _separate_unusual(lines: bytes) -> tuple[bytes, list[tuple[int, float]]] | None:
    """The lines with unusual values set to 0, and these values with their positions."""
    if not lines.translate(None, PLAIN):
        return lines, []
    unusual, position, end = [], 0, 0
    for match in UNUSUAL.finditer(lines):
        if not NUMBER.fullmatch(match[1]):
            return None
        position += lines.count(b":", end, match.start())
        unusual.append((position, float(match[1])))
        position, end = position + 1, match.end()
    return UNUSUAL.sub(b":0", lines), unusual


def _allowed() -> NDArray[np.bool_]:
    """The valid runs: [mark before, mark after, has digits]."""
    allowed = np.zeros((256, 256, 2), bool)
    for end in (SPACE, NEWLINE):
        allowed[NEWLINE, end, 1] = True  # the only label
        allowed[COMMA, end, 1] = True  # the last label
        allowed[COLON, end, 1] = True  # a whole value
        allowed[POINT, end, :] = True  # the decimals of a value
        allowed[SPACE, end, 0] = True  # an extra space
    allowed[NEWLINE, SPACE, 0] = True  # no labels; (NEWLINE, NEWLINE) is a blank line and not valid
    allowed[NEWLINE, COMMA, 1] = allowed[COMMA, COMMA, 1] = True  # a label
    allowed[SPACE, COLON, 1] = True  # a feature
    allowed[COLON, POINT, :] = True  # the whole part of a value
    return allowed.reshape(-1)


ALLOWED = _allowed()


@dataclass(frozen=True)
class _Runs:
    """Every run of digits: its start, its length, its number, and the marks around it."""

    data: NDArray[np.uint8]
    starts: Integers
    lengths: Integers
    numbers: Integers
    before: NDArray[np.uint8]
    after: NDArray[np.uint8]

    @staticmethod
    def find(lines: bytes) -> "_Runs | None":
        # Eight bytes of padding to look back; the last is the newline before the first line.
        data = np.frombuffer(b"\n" * 8 + lines, np.uint8)
        marks = np.flatnonzero(data - ord("0") > 9)[7:]  # unsigned: bytes below "0" wrap to above 9
        kinds = data[marks]
        before, after, lengths = kinds[:-1], kinds[1:], np.diff(marks) - 1
        triple = before.astype(np.int32) * 512 + after * np.int32(2) + (lengths > 0)
        if not ALLOWED[triple].all():
            return None
        numbers = _numbers(data, marks[1:], lengths)
        return _Runs(data, marks[:-1] + 1, lengths, numbers, before, after)


def _numbers(data: NDArray[np.uint8], ends: Integers, lengths: Integers) -> Integers:
    """The number of each run of at most eight digits. Longer runs give a wrong number.

    The eight bytes before a run's end form one 64-bit word. Three multiplications combine its
    digits to pairs, then to groups of four, then to one number.
    """
    words = np.ndarray(len(data) - 7, "<u8", data, strides=(1,))[ends - 8]
    foreign = ((8 - np.minimum(lengths, 8)) * 8).astype(np.uint64)  # bits before the run
    words = (words & np.uint64(0x0F0F0F0F0F0F0F0F)) >> foreign << foreign
    words = (words * np.uint64(10) + (words >> np.uint64(8))) & np.uint64(0x00FF00FF00FF00FF)
    words = (words * np.uint64(100) + (words >> np.uint64(16))) & np.uint64(0x0000FFFF0000FFFF)
    words = (words * np.uint64(10000) + (words >> np.uint64(32))) & np.uint64(0xFFFFFFFF)
    return words.astype(np.int64)


def _values(
    runs: _Runs, feature: Integers, unusual: list[tuple[int, float]]
) -> NDArray[np.float32] | None:
    """The value after each feature: a run, optionally followed by a point and another run."""
    whole = feature + 1
    next_run = np.minimum(whole + 1, len(runs.lengths) - 1)
    pointed = runs.after[whole] == POINT
    decimals = np.where(pointed, runs.lengths[next_run], 0)
    digits = runs.lengths[whole] + decimals
    if not digits.all():
        return None  # a point without digits
    scale = POWERS[np.minimum(decimals, 8)]
    # Exact in float64 up to 15 digits, so only the division rounds.
    values = (runs.numbers[whole] * scale + np.where(pointed, runs.numbers[next_run], 0)) / scale
    for i in np.flatnonzero((digits > 15) | (runs.lengths[whole] > 8) | (decimals > 8)):
        start = runs.starts[whole[i]]
        values[i] = float(runs.data[start : start + digits[i] + pointed[i]].tobytes())
    for position, value in unusual:
        values[position] = value
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    return single if np.isfinite(single).all() else None


def _sorted_features(
    features: NDArray[np.int32], values: NDArray[np.float32], counts: Integers
) -> tuple[NDArray[np.int32], NDArray[np.float32]] | None:
    """The features of each point in ascending order; None if a point repeats one."""
    order = _order(features, counts)
    if order is None:
        return features, values
    features, values = features[order], values[order]
    return None if len(_repeated(features, counts)) else (features, values)


def _sorted_labels(
    labels: NDArray[np.int32], counts: Integers
) -> tuple[NDArray[np.int32], Integers]:
    """The unique labels of each point in ascending order, and their counts."""
    order = _order(labels, counts)
    if order is None:
        return labels, counts
    labels = labels[order]
    again = _repeated(labels, counts)
    rows = np.repeat(np.arange(len(counts)), counts)
    return np.delete(labels, again), counts - np.bincount(rows[again], minlength=len(counts))


def _order(ids: NDArray[np.int32], counts: Integers) -> Integers | None:
    """The permutation that sorts each row; None if all rows are sorted and unique already."""
    falls = np.flatnonzero(np.diff(ids) <= 0) + 1
    if np.isin(falls, counts.cumsum()).all():
        return None
    return np.lexsort((ids, np.repeat(np.arange(len(counts)), counts)))


def _repeated(ids: NDArray[np.int32], counts: Integers) -> Integers:
    """Positions, in sorted rows, of ids equal to the one before."""
    same = np.flatnonzero(np.diff(ids) == 0) + 1
    return same[~np.isin(same, counts.cumsum())]
