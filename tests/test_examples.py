"""Examples show real test points, and mark what is right by the label and not by its name."""

import torch
from helpers.points import random_points

from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.data.words import Words
from hrrxml.datasets.names import Names
from hrrxml.evaluation import examples

WORDS = Words(["small", "dog", "cat"], torch.ones(3))
LABELS = ["animal", "bank", "bank", "cat"]
NAMES = Names(4, WORDS, LABELS, ["n1", "n2", "n3", "n4"])


def labelled(texts: list[str], labels: list[list[int]]) -> Points:
    return WORDS.label(WORDS.tokens(texts), Bags.from_lists(labels), 4)


def test_three_points_at_even_distances() -> None:
    texts = ["dog", "cat", "small cat", "dog dog", "small", "small dog"]
    ranking = torch.tensor([[0, 3]] * 6)
    shown = examples.describe(labelled(texts, [[0]] * 6), ranking, NAMES)
    assert [example["text"] for example in shown] == ["dog", "small cat", "small"]
    assert shown[0]["predicted"] == [["animal", True], ["cat", False]]
    assert shown[0]["labels"] == ["animal"]


def test_fewer_points_are_shown_once() -> None:
    shown = examples.describe(labelled(["dog", "cat"], [[0], [3]]), torch.tensor([[0], [0]]), NAMES)
    assert [example["text"] for example in shown] == ["dog", "cat"]
    assert [example["predicted"] for example in shown] == [[["animal", True]], [["animal", False]]]


def test_labels_that_share_a_name_are_told_apart() -> None:
    (shown,) = examples.describe(labelled(["dog"], [[1]]), torch.tensor([[2, 0]]), NAMES)
    assert shown["labels"] == ["bank (n2)"]
    assert shown["predicted"] == [["bank (n3)", False], ["animal", False]]
    (shown,) = examples.describe(labelled(["dog"], [[1]]), torch.tensor([[1, 0]]), NAMES)
    assert shown["predicted"] == [["bank", True], ["animal", False]]


def test_unknown_words_and_long_texts_are_cut() -> None:
    (shown,) = examples.describe(
        labelled(["zebra zebra dog zebra small"], [[0]]), torch.tensor([[0]]), NAMES
    )
    assert shown["text"] == "… dog … small"
    (shown,) = examples.describe(labelled(["dog " * 99], [[0]]), torch.tensor([[0]]), NAMES)
    assert shown["text"].split() == ["dog"] * examples.MOST_WORDS + ["…"]


def test_labels_without_names_are_numbers() -> None:
    (shown,) = examples.describe(labelled(["dog"], [[1]]), torch.tensor([[1]]), Names(4, WORDS))
    assert shown["predicted"] == [["1", True]]


def test_a_dataset_without_texts_has_no_examples(generator: torch.Generator) -> None:
    points = random_points(9, 5, 4, generator)
    assert examples.describe(points, torch.zeros(9, 1).long(), Names(4)) == []
