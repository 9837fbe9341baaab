"""Word vectors from the training texts, against counting by hand."""

import math

import numpy as np
import torch
from helpers.points import random_points
from hypothesis import given
from hypothesis import strategies as st

from hrrxml.config.schema import Params
from hrrxml.data.bags import Bags
from hrrxml.data.tokens import FIRST_WORD
from hrrxml.layers import cooccurrence
from hrrxml.layers.words import SPREAD

N = 9
texts = st.lists(st.lists(st.integers(1, N - 1), max_size=12), min_size=1, max_size=5)


@given(texts)
def test_neighbours_and_their_information(texts: list[list[int]]) -> None:
    counts = np.zeros((N, N))
    for text in texts:
        for i, here in enumerate(text):
            for j, there in enumerate(text):
                if 0 < abs(i - j) <= cooccurrence.WINDOW and min(here, there) >= FIRST_WORD:
                    counts[here, there] += 1 / abs(i - j)
    found = cooccurrence.neighbours(Bags.from_lists(texts), N)
    np.testing.assert_allclose(found.toarray(), counts, rtol=1e-5)
    information = cooccurrence.positive_pmi(found).toarray()
    smoothed = counts.sum(1) ** cooccurrence.SMOOTHING
    for i in range(N):
        for j in range(N):
            expected = 0.0
            if counts[i, j]:
                chance = counts[i].sum() / counts.sum() * smoothed[j] / smoothed.sum()
                expected = max(0, math.log(counts[i, j] / counts.sum() / chance))
            assert math.isclose(information[i, j], expected, rel_tol=1e-3, abs_tol=1e-4)


def test_words_with_the_same_neighbours_are_alike() -> None:
    """Words 2 and 3 stand between 4 and 5, words 6 and 7 between 8 and 9."""
    lists = [[4, 2, 5], [4, 3, 5], [8, 6, 9], [8, 7, 9]] * 5
    vectors = cooccurrence.vectors(Bags.from_lists(lists), 11, dim=4)
    assert vectors.shape == (11, 4)
    cosine = torch.nn.functional.cosine_similarity
    assert cosine(vectors[2], vectors[3], dim=0) > 0.99
    assert cosine(vectors[2], vectors[6], dim=0) < 0.1
    assert not vectors[[0, 1, 10]].any()  # padding, unknown, and a word without neighbours
    assert math.isclose(vectors[FIRST_WORD:].std(), SPREAD, rel_tol=1e-5)
    wide = cooccurrence.vectors(Bags.from_lists(lists), 11, dim=20)
    assert wide.shape == (11, 20)
    assert not wide[:, 11:].any()


def test_texts_without_neighbours_give_nothing() -> None:
    assert not cooccurrence.vectors(Bags.from_lists([[2], [], [3]]), 5, dim=3).any()


def test_words_start_at_random_or_from_the_training_texts(
    settings: Params, generator: torch.Generator
) -> None:
    train = random_points(10, 30, 12, generator)
    start = cooccurrence.starting_vectors
    random = settings.cnn.model_copy(update={"start": "random"})
    texts = settings.cnn.model_copy(update={"start": "texts", "word_dim": 6})
    assert start(random, train) is None
    assert start(settings.fc, train) is None
    made = start(texts, train)
    assert made is not None
    assert made.shape == (30, 6)
    state = torch.get_rng_state()
    again = start(texts, train)
    assert again is not None
    assert torch.equal(made, again)
    assert torch.equal(state, torch.get_rng_state())
