"""The text encoders compute what their papers describe, whatever else is in the batch."""

from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from helpers.models import ALL_HEADS, LEARNING_ENCODERS, TEXT_ENCODERS
from helpers.points import random_points
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from hrrxml import encoders, heads, model
from hrrxml.config.schema import Params, Run
from hrrxml.data.bags import Bags
from hrrxml.data.points import Points
from hrrxml.encoders.cnn import dynamic_max_pool
from hrrxml.layers.words import pad
from hrrxml.runtime.errors import UserError

SMALL = {
    "cnn": {"word_dim": 6, "filters": 5, "bottleneck": 7, "max_tokens": 12, "chunks": 3},
    "lstm": {"word_dim": 6, "hidden": 4, "heads": 3, "linear": [8, 7], "max_tokens": 12},
}


def change(settings: Params, section: str, **values: object) -> Params:
    changed = getattr(settings, section).model_copy(update=values)
    return settings.model_copy(update={section: changed})


@pytest.fixture
def small(settings: Params) -> Params:
    """The committed settings, with encoders that a loop can follow."""
    for section, values in SMALL.items():
        settings = change(settings, section, **values)
    return settings


@pytest.fixture
def texts(generator: torch.Generator) -> Points:
    """Texts of 0 to 15 words of 30, so that some are empty and some are cut."""
    points = random_points(20, 30, 12, generator)
    lists = [
        torch.randint(2, 32, (length,), generator=generator).tolist()
        for length in [0, 1, 15, 12, 2, 7, 3, 8, *range(1, 13)]
    ]
    return replace(points, tokens=Bags.from_lists(lists), n_tokens=32)


@pytest.mark.parametrize("name", TEXT_ENCODERS)
def test_a_text_alone_and_in_a_batch_gives_the_same_vector(
    name: str, small: Params, texts: Points
) -> None:
    """Neither padding nor order nor neighbours change a result."""
    torch.manual_seed(0)
    encoder = encoders.build(name, small.section(name), texts).eval()
    together = encoder(texts)
    assert together.shape == (20, encoder.width)
    alone = torch.cat([encoder(texts.select(torch.tensor([i]))) for i in range(20)])
    torch.testing.assert_close(together, alone, rtol=1e-5, atol=1e-6)
    order = torch.randperm(20)
    torch.testing.assert_close(encoder(texts.select(order)), together[order], rtol=1e-5, atol=1e-6)


def words_of(encoder: Any, texts: Points, row: int, most: int) -> Tensor:
    assert texts.tokens is not None
    start, end = texts.tokens.offsets[row : row + 2].tolist()
    return encoder.words.table[texts.tokens.ids[start:end].long()][:most]


def test_the_cnn_is_convolution_pooling_and_a_bottleneck(small: Params, texts: Points) -> None:
    torch.manual_seed(0)
    encoder: Any = encoders.build("cnn", small.cnn, texts).eval()
    found = encoder(texts)
    for row in range(20):
        words = words_of(encoder, texts, row, 12)
        pooled = []
        for size, convolution in zip((2, 4, 8), encoder.convolutions, strict=True):
            padded = F.pad(words, (0, 0, 0, max(0, size - len(words))))
            windows = [padded[i : i + size].T for i in range(len(padded) - size + 1)]
            responses = torch.stack(  # (places, filters)
                [(convolution.weight * w).sum((1, 2)) + convolution.bias for w in windows]
            ).relu()
            pooled.append(F.adaptive_max_pool1d(responses.T, 3).flatten())
        linear = encoder.bottleneck[0]
        expected = torch.relu(linear.weight @ torch.cat(pooled) + linear.bias)
        torch.testing.assert_close(found[row], expected, rtol=1e-4, atol=1e-5)


@given(st.lists(st.integers(1, 9), min_size=1, max_size=6), st.integers(1, 5))
def test_dynamic_pooling_is_adaptive_pooling_of_each_row(places: list[int], chunks: int) -> None:
    found = torch.rand(len(places), 4, 9)
    pooled = dynamic_max_pool(found, torch.tensor(places), chunks)
    for row, n in enumerate(places):
        expected = F.adaptive_max_pool1d(found[row, :, :n], chunks)
        torch.testing.assert_close(pooled[row], expected)


def test_the_flattened_cnn_is_the_authors(settings: Params, texts: Points) -> None:
    """Their published sizes give 23,869 inputs to the first of three layers."""
    published = change(
        settings, "cnn", pooling="flattened", filters=32, word_dim=10, max_tokens=500
    )
    encoder: Any = encoders.build("cnn", published.cnn, texts).eval()
    layers = [layer for layer in encoder.bottleneck if isinstance(layer, torch.nn.Linear)]
    assert [layer.in_features for layer in layers] == [23869, 512, 512]
    words = F.pad(words_of(encoder, texts, 2, 500), (0, 0, 0, 485))
    pooled = []
    for convolution in encoder.convolutions:
        flat = F.relu(F.conv1d(words.T[None], convolution.weight, convolution.bias, 2)).flatten()
        pooled.append(torch.maximum(flat[:-1], flat[1:]))
    hidden = torch.cat(pooled)
    for layer in layers:
        hidden = torch.relu(layer.weight @ hidden + layer.bias)
    torch.testing.assert_close(encoder(texts)[2], hidden, rtol=1e-4, atol=1e-5)


def bidirectional(encoder: Any) -> torch.nn.LSTM:
    """torch's own bidirectional LSTM with the encoder's weights."""
    oracle = torch.nn.LSTM(encoder.words.dim, 4, batch_first=True, bidirectional=True)
    with torch.no_grad():
        for suffix, direction in (("", encoder.forwards), ("_reverse", encoder.backwards)):
            for name, weight in direction.named_parameters():
                getattr(oracle, name + suffix).copy_(weight)
    return oracle


def test_the_lstm_equals_torchs_packed_one(small: Params, texts: Points) -> None:
    torch.manual_seed(0)
    encoder: Any = encoders.build("lstm", small.lstm, texts).eval()
    words, lengths = encoder.words(texts.tokens)
    lengths = lengths.clamp(min=1)
    packed = pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
    expected, _ = pad_packed_sequence(bidirectional(encoder)(packed)[0], batch_first=True)
    found = encoder._states(words, lengths)
    for row, length in enumerate(lengths.tolist()):
        torch.testing.assert_close(found[row, :length], expected[row, :length])


def test_the_lstm_attends_with_every_head_and_takes_their_mean(
    small: Params, texts: Points
) -> None:
    torch.manual_seed(0)
    encoder: Any = encoders.build("lstm", small.lstm, texts).eval()
    torch.nn.init.normal_(encoder.start)
    oracle = bidirectional(encoder)
    found = encoder(texts)
    for row in (1, 2, 5):
        words = words_of(encoder, texts, row, 12)
        h, c = encoder.start.transpose(0, 1)[:, :, None]  # (directions, 1, hidden)
        states, _ = oracle(words[None], (h.contiguous(), c.contiguous()))  # (1, T, 2h)
        attention = (states[0] @ encoder.attention.weight.T).softmax(0)  # (T, heads)
        mean = (attention.T @ states[0]).mean(0)  # of the heads' (heads, 2h) vectors
        for layer in (encoder.linear[0], encoder.linear[2]):
            mean = torch.relu(layer.weight @ mean + layer.bias)
        torch.testing.assert_close(found[row], mean, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("head", ALL_HEADS)
@pytest.mark.parametrize("name", LEARNING_ENCODERS)
def test_gradients_reach_every_parameter(
    name: Any, head: Any, small: Params, texts: Points, generator: torch.Generator
) -> None:
    torch.manual_seed(0)
    small = change(small, "grouped", dim=8)
    tables = heads.get(head).tables(getattr(small, head), texts, generator)
    run = Run(dataset="tiny", encoder=name, head=head)
    network = model.build(run, small, texts, tables).train()
    network.loss(texts.select(torch.arange(20))).backward()
    for parameter_name, parameter in network.named_parameters():
        assert parameter.grad is not None, parameter_name
        gradient = parameter.grad.to_dense() if parameter.grad.is_sparse else parameter.grad
        assert gradient.any(), parameter_name
        assert gradient.isfinite().all(), parameter_name


def test_padding_learns_nothing(small: Params, texts: Points) -> None:
    encoder: Any = encoders.build("cnn", small.cnn, texts)
    encoder(texts).sum().backward()
    assert not encoder.words.table.grad.to_dense()[0].any()
    assert not encoder.words.table[0].any()


def test_words_can_be_fixed_and_start_from_given_vectors(small: Params, texts: Points) -> None:
    vectors = torch.zeros(32, 9)
    vectors[5] = torch.arange(9.0)
    fixed = change(small, "lstm", learn_words=False)
    encoder: Any = encoders.build("lstm", fixed.lstm, texts, vectors)
    assert encoder.words.dim == 9
    assert torch.equal(encoder.words.table[5], vectors[5])
    assert encoder.words.table[6].any()  # not in the file: at random
    assert not encoder.words.table[0].any()
    encoder(texts).sum().backward()
    assert encoder.words.table.grad is None
    assert encoder.sparse_parameters() == []


def test_texts_are_cut_and_padded_with_zeros() -> None:
    bags = Bags.from_lists([[5, 6, 7], [], [8]])
    assert pad(bags, bags.lengths.clamp(max=2), 3).tolist() == [[5, 6, 0], [0, 0, 0], [8, 0, 0]]


@pytest.mark.parametrize("name", TEXT_ENCODERS)
def test_features_alone_are_refused(name: str, small: Params, texts: Points) -> None:
    with pytest.raises(UserError, match="features but no texts; use the encoder fc"):
        encoders.build(name, small.section(name), replace(texts, tokens=None, n_tokens=0))
